// Kernels are named from the symbol table of the file they are in, which unlike the dynamic symbols also has what is
// local to a translation unit.
#include <emulator/block.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <cstdlib>
#include <fstream>
#include <map>

namespace mgpu::emulator::impl {

namespace {

template <class T>
T const* at(std::vector<char> const& file, std::size_t offset) {
  return offset + sizeof(T) <= file.size() ? reinterpret_cast<T const*>(file.data() + offset) : nullptr;
}

// Returns the name of the function at `address`, counted from where the file is loaded, or nothing if the file is
// stripped.
std::string symbol_at(std::vector<char> const& file, std::uintptr_t address) {
  auto const* const header = at<Elf64_Ehdr>(file, 0);
  if (header == nullptr) return {};
  auto const section = [&](std::size_t i) { return at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr)); };
  for (std::size_t i = 0; i < header->e_shnum; ++i) {
    auto const* const symbols = section(i);
    if (symbols == nullptr || symbols->sh_type != SHT_SYMTAB) continue;
    auto const* const names = section(symbols->sh_link);
    for (std::size_t offset = 0; names != nullptr && offset < symbols->sh_size; offset += sizeof(Elf64_Sym)) {
      auto const* const symbol = at<Elf64_Sym>(file, symbols->sh_offset + offset);
      if (symbol == nullptr) break;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_value != address) continue;
      auto const* const name = at<char>(file, names->sh_offset + symbol->st_name);
      if (name != nullptr) return name;
    }
  }
  return {};
}

std::string demangled(std::string const& symbol) {
  int status = 0;
  char* const name = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string const text = status == 0 ? name : symbol;
  std::free(name);
  return text;
}

std::vector<char> contents(char const* path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  std::vector<char> bytes(stream ? static_cast<std::size_t>(stream.tellg()) : 0);
  stream.seekg(0);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

std::string look_up(void const* kernel) {
  Dl_info info{};
  link_map* object = nullptr;
  if (dladdr1(kernel, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0 && object != nullptr) {
    char const* const path = object->l_name[0] != '\0' ? object->l_name : "/proc/self/exe";
    std::vector<char> const file = contents(path);
    std::string const symbol = symbol_at(file, reinterpret_cast<std::uintptr_t>(kernel) - object->l_addr);
    if (!symbol.empty()) return demangled(symbol);
  }
  return "(no symbol)";
}

}  // namespace

std::string kernel_name(void const* kernel) {
  if (kernel == nullptr) return "(none)";
  static std::map<void const*, std::string> known;  // tests let one kernel fail under many schedules
  auto found = known.find(kernel);
  if (found == known.end()) found = known.emplace(kernel, look_up(kernel)).first;
  return found->second;
}

}  // namespace mgpu::emulator::impl
