# cmake -D NM=<nm> -D OBJECTS=<file;...> -P check_host_calls.cmake
#
# Fails if host code in an object that nvcc made calls a function that is for the device alone. nvcc does not tell where a
# template of neither kind calls it: in host code nvcc gives such a function a body that ends the program by exit(),
# which no host code of the library calls. The emulator cannot tell, as there all functions are for the host, too.
cmake_minimum_required(VERSION 3.25)

foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND "${NM}" --undefined-only "${object}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(symbols MATCHES " U exit(@[^\n]*)?\n")
    message(SEND_ERROR "${object}: host code calls a function of the device")
  endif()
endforeach()
list(LENGTH OBJECTS num_objects)
if(num_objects EQUAL 0)
  message(FATAL_ERROR "no object was given, so this checks nothing")
endif()
message(STATUS "${num_objects} objects looked at")
