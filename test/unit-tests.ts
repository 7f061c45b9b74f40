// Runs the test files that TEST_UNITS names, one per line, in this one process.
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { fixPropertySeed } from './support/property-seed.ts'

fixPropertySeed()
for (const file of process.env['TEST_UNITS']?.split('\n') ?? []) {
  // A file that cannot be imported fails as one test; the other files still run.
  await import(pathToFileURL(file).href).catch((error: unknown) =>
    test(file, () => Promise.reject(error)),
  )
}
