// There is nothing for the device: the check must not call that clean.
int main() { return 0; }
