"""Tunes a tree on a cluster: dask's workers compute the complexity paths of all depths and folds.

Here the cluster is two processes on this machine. For a real one, give Client the address of its scheduler; treewright must be installed
on the workers. Workers may come and go: dask runs the tasks of a lost worker again, and the result is the same as on one machine.
"""

from __future__ import annotations

from dask.distributed import Client, LocalCluster
from joblib import parallel_backend
from sklearn.datasets import load_wine

from treewright import OptimalTreeClassifierCV, export_text


def main() -> None:
    X, y = load_wine(return_X_y=True, as_frame=True)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster), parallel_backend("dask"):
        model = OptimalTreeClassifierCV(max_depths=(1, 2), cv=5).fit(X, y)
    print(export_text(model))
    print(f"depth {model.best_params_['max_depth']}, accuracy over the folds {model.best_score_:.3f}")


if __name__ == "__main__":
    main()
