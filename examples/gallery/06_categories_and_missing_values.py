"""
Categories, text and missing values
===================================

DataFrame columns of categories or text are split by sets of their levels. No encoding is needed. A split sends missing values to the
better side.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from treewright import OptimalTreeClassifier, export_text, plot_tree

random = np.random.RandomState(3)
weather = random.choice(["sun", "rain", "snow", "fog"], 200)
distance = np.round(random.gamma(2.0, 3.0, 200), 1)
by = np.where((distance > 8) | np.isin(weather, ["rain", "snow"]), "bus", "bike")
distance[random.rand(200) < 0.1] = np.nan
trips = pd.DataFrame({"weather": pd.Categorical(weather), "distance": distance})
trips.loc[random.rand(200) < 0.05, "weather"] = None

tree = OptimalTreeClassifier(max_depth=2).fit(trips, by)
print(export_text(tree))
print(tree.status_, "-", tree.result_.errors, "errors of", len(trips))

# %%
# A level that training did not see counts as missing.

print(tree.predict(pd.DataFrame({"weather": ["hail", "sun"], "distance": [2.0, np.nan]})))

# %%
# In a picture the columns may have other names, and units.

figure, axes = plt.subplots(figsize=(8, 4))
plot_tree(tree, feature_names={"weather": "weather in the morning", "distance": ("distance", "km")}, filled=True, ax=axes)
figure.tight_layout()
