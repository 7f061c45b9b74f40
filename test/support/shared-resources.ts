/** What the test files of a process share, such as a browser. Closed after the last test of the process. */
export const sharedResources = new AsyncDisposableStack()
