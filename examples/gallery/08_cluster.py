"""
Tuning on a cluster
===================

``OptimalTreeClassifierCV`` hands its folds and depths to joblib, and joblib to dask. Here the workers are threads of this process; for a
real cluster give ``Client`` the address of its scheduler. The result is the same.
"""

import matplotlib.pyplot as plt
from dask.distributed import Client, LocalCluster
from joblib import parallel_backend
from sklearn.datasets import load_wine

from treewright import OptimalTreeClassifierCV, export_text, plot_tree

X, y = load_wine(return_X_y=True, as_frame=True)
here = OptimalTreeClassifierCV(max_depths=(1, 2), cv=4).fit(X, y)
with (
    LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
    Client(cluster),
    parallel_backend("dask"),
):
    there = OptimalTreeClassifierCV(max_depths=(1, 2), cv=4).fit(X, y)
print(export_text(there))
print("the same tree:", here.to_json() == there.to_json() or export_text(here) == export_text(there))

# %%
figure, axes = plt.subplots(figsize=(8, 4))
plot_tree(there, ax=axes)
figure.tight_layout()
