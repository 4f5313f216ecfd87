"""Estimators that compute with duomap and have the names and attributes of scikit-learn's. Needs the package scikit-learn.

All estimators take `device`, `gpus` and `threads`, which are those of duomap.Options.
"""

from duomap.sklearn._cluster import KMeans
from duomap.sklearn._decomposition import PCA
from duomap.sklearn._naive_bayes import CategoricalNB
from duomap.sklearn._neighbors import KNeighborsClassifier, NearestNeighbors
from duomap.sklearn._svm import SVC

__all__ = ["PCA", "SVC", "CategoricalNB", "KMeans", "KNeighborsClassifier", "NearestNeighbors"]
