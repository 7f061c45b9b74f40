// Runs the test files that TEST_UNITS names, one on a line, in this one process.
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

for (const file of process.env['TEST_UNITS']?.split('\n') ?? []) {
  // One that cannot be read fails alone: the others still run.
  await import(pathToFileURL(file).href).catch((error: unknown) =>
    test(file, () => Promise.reject(error)),
  )
}
