// HiGHS on Windows is loaded when a model is to be solved: its library needs Microsoft's C++ run time, which not every machine has, and
// all else works without. Each function of HiGHS that highs.cpp calls is defined here and hands its arguments to the library's.
// highs.dll is looked for beside the program or library that this code is part of.

#include <windows.h>
// windows.h comes first.
#include "treewright/base/error.h"

#if __has_include(<interfaces/highs_c_api.h>)
#include <interfaces/highs_c_api.h>

#include <string>

namespace treewright::mip {

namespace {

HMODULE loaded() {
  HMODULE own = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                     reinterpret_cast<const wchar_t*>(&loaded), &own);
  std::wstring path(32768, L'\0');
  path.resize(GetModuleFileNameW(own, path.data(), static_cast<DWORD>(path.size())));
  path.resize(path.find_last_of(L'\\') + 1);
  return LoadLibraryExW((path + L"highs.dll").c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
}

FARPROC function(const char* name) {
  static const HMODULE library = loaded();
  const FARPROC found = library == nullptr ? nullptr : GetProcAddress(library, name);
  if (found != nullptr) return found;
  throw option_error("mip_solver", "highs.dll, the solver, is not beside this program or does not load",
                     "install Microsoft's Visual C++ run time, or name another solver's command by mip_solver");
}

}  // namespace

}  // namespace treewright::mip

#define HANDED_ON(result, name, parameters, arguments)                                                  \
  result name parameters {                                                                              \
    static const auto there = reinterpret_cast<result(*) parameters>(treewright::mip::function(#name)); \
    return there arguments;                                                                             \
  }

extern "C" {
HANDED_ON(void*, Highs_create, (void), ())
HANDED_ON(void, Highs_destroy, (void* h), (h))
HANDED_ON(HighsInt, Highs_run, (void* h), (h))
HANDED_ON(HighsInt, Highs_getModelStatus, (const void* h), (h))
HANDED_ON(HighsInt, Highs_getIntInfoValue, (const void* h, const char* n, HighsInt* v), (h, n, v))
HANDED_ON(HighsInt, Highs_getInt64InfoValue, (const void* h, const char* n, int64_t* v), (h, n, v))
HANDED_ON(HighsInt, Highs_getDoubleInfoValue, (const void* h, const char* n, double* v), (h, n, v))
HANDED_ON(HighsInt, Highs_setBoolOptionValue, (void* h, const char* n, const HighsInt v), (h, n, v))
HANDED_ON(HighsInt, Highs_setIntOptionValue, (void* h, const char* n, const HighsInt v), (h, n, v))
HANDED_ON(HighsInt, Highs_setDoubleOptionValue, (void* h, const char* n, const double v), (h, n, v))
HANDED_ON(HighsInt, Highs_getSolution, (const void* h, double* a, double* b, double* c, double* d), (h, a, b, c, d))
HANDED_ON(HighsInt, Highs_setSolution, (void* h, const double* a, const double* b, const double* c, const double* d), (h, a, b, c, d))
HANDED_ON(HighsInt, Highs_setCallback, (void* h, HighsCCallbackType f, void* data), (h, f, data))
HANDED_ON(HighsInt, Highs_startCallback, (void* h, const int type), (h, type))
HANDED_ON(HighsInt, Highs_passModel,
          (void* h, const HighsInt a, const HighsInt b, const HighsInt c, const HighsInt d, const HighsInt e, const HighsInt f,
           const HighsInt g, const double o, const double* x0, const double* x1, const double* x2, const double* x3, const double* x4,
           const HighsInt* i0, const HighsInt* i1, const double* x5, const HighsInt* i2, const HighsInt* i3, const double* x6,
           const HighsInt* i4),
          (h, a, b, c, d, e, f, g, o, x0, x1, x2, x3, x4, i0, i1, x5, i2, i3, x6, i4))
}
#endif
