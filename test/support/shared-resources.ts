/** Resources that the test files of a process share, such as a browser. Closed after the process's last test. */
export const sharedResources = new AsyncDisposableStack()
