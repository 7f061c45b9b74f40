import { after, before } from 'node:test'

/**
 * Opens something once for all tests of a file, and closes it after them. Only for tests that leave nothing behind that
 * another test of the file would notice. The tests call the returned function.
 */
export function openForFile<Opened extends AsyncDisposable>(
  open: () => Promise<Opened>,
): () => Opened {
  let opened: Opened | null = null
  before(async () => {
    opened = await open()
  })
  after(async () => {
    await opened?.[Symbol.asyncDispose]()
    // The process runs many files and never unloads any of them.
    opened = null
  })
  return () => {
    if (opened === null) throw new Error('it is open only while the tests of the file run')
    return opened
  }
}
