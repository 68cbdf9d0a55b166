#include <dropin/program.h>

int main(int num_arguments, char** arguments) { return dropin::run(num_arguments, arguments); }
