# Trains the proven optimal tree of depth 2 and recounts its claims: Rscript train_tree.R DATA.csv

library(treewright)

data <- read.csv(c(commandArgs(trailingOnly = TRUE), "wine.csv")[1], stringsAsFactors = TRUE)
tree <- treewright(class ~ ., data, max_depth = 2)
print(tree)
stopifnot(length(check_tree(tree)) == 0)
table(truth = data$class, predicted = predict(tree))
