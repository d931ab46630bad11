"""
The price of equal treatment
============================

Method ``fair`` minimizes the share of errors plus a price for *disparate impact*: groups of people who are predicted as a class in
different shares. It is a model for the MIP solver HiGHS, which the wheel holds; so the data are few.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treewright import FairTreeClassifier, OptimalityWarning

random = np.random.RandomState(5)
group = random.choice(["a", "b"], 60)
income = np.round(random.normal(np.where(group == "a", 3.2, 2.6), 0.6), 1)
years = random.randint(0, 8, 60)
repaid = np.where(income + 0.15 * years + 0.3 * random.randn(60) > 3.3, "yes", "no")
people = pd.DataFrame({"income": income, "years": years, "group": pd.Categorical(group)})

warnings.simplefilter("ignore", OptimalityWarning)  # nothing is proved about errors alone
prices = (0.0, 0.5, 2.0)
shares = []
for price in prices:
    tree = FairTreeClassifier(max_depth=1, fairness=price, protected_column="group").fit(people, repaid)
    said = pd.Series(tree.predict(people) == "yes").groupby(group).mean()
    shares.append(said)
    print(f"price {price}: {tree.result_.errors:.0f} errors; predicted to repay: {said['a']:.0%} of group a, {said['b']:.0%} of group b")

# %%
# Whether such a trade is right is not a question for a program. It can only show its price.

figure, axes = plt.subplots(figsize=(6, 3.5))
for offset, (name, color) in enumerate((("a", "#0072b2"), ("b", "#e69f00"))):
    axes.bar(np.arange(len(prices)) + 0.35 * offset, [said[name] for said in shares], width=0.35, color=color, label=f"group {name}")
axes.set(xticks=np.arange(len(prices)) + 0.175, xticklabels=[str(price) for price in prices], xlabel="price of disparate impact")
axes.set(ylabel="share predicted to repay", ylim=(0, 1.25))
axes.legend(loc="upper center", ncols=2)
figure.tight_layout()
