// The decimal mark of a file. 1.234 is one and a bit, or one thousand two hundred and thirty-four, and the cell does not say which. Files
// are written in one way, so all columns are asked. In this order:
//
//   1. the user (--decimal);
//   2. columns that can be read with one mark only: 1.5 or 1.234,5 or 1.234.567. Where some show points and others show commas, they say
//      nothing of the rest;
//   3. the tree that is to be applied, which knows the mark of its training file;
//   4. commas between the cells: where the comma is the decimal mark, programs separate cells by semicolons. So the point is the mark;
//   5. columns such as 2.500 and 80: a program that writes the zeros of 2.500 writes 80.000, and one that leaves them out writes 2.5. So
//      the mark separates thousands;
//   6. other separators of cells: who separates them by semicolons needs the comma in numbers. In all other files the point is the mark.
//
// 4 comes before 5, because both are about as likely to mislead (a person writes 1.125, 2.500 and 80; a European table is saved with
// commas), and the plain reading is the one that every other program takes.
//
// From 3 on it is no more than likely, and a note says how such columns were read. A column of numbers such as 1,234 has a note in any
// case, when a tree is trained; one of numbers such as 1.234 only where they are not plain numbers, or nothing shows that they are. Where a
// tree is applied, its mark needs no note unless the file shows another, by 2, 4, 5 or semicolons.

#include "treewright/data/read/file_writing.h"

namespace treewright {

namespace {

// The mark if the columns show one, but not both.
char only_mark(bool points, bool commas) {
  return points == commas ? '\0' : points ? '.' : ',';
}

}  // namespace

DecimalMark decide_decimal_mark(const FileWriting& file, const ReadOptions& options, char separator) {
  if (options.decimal != '\0') return {options.decimal, true, false, false};
  const char own = only_mark(file.points, file.commas), likely = only_mark(file.likely_points, file.likely_commas);
  const char tree = options.doubtful_decimal;
  if (tree != '\0') {
    const char usual = separator == ';' ? ',' : separator == ',' ? '.' : tree;
    const bool differs = own != '\0' ? own != tree : usual != tree || (likely != '\0' && likely != tree);
    return {own != '\0' ? own : tree, true, differs, differs};
  }
  if (own != '\0') return {own, true, true, own == ','};
  const char mark = separator != ',' && likely != '\0' ? likely : separator == ';' ? ',' : '.';
  return {mark, false, true, true};
}

}  // namespace treewright
