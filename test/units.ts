// Runs the test files that TEST_UNITS names, one on a line, in this one process.
import { pathToFileURL } from 'node:url'

for (const file of process.env['TEST_UNITS']?.split('\n') ?? []) {
  await import(pathToFileURL(file).href)
}
