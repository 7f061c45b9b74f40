import { appendFileSync, readFileSync } from 'node:fs'
import { after, before, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sharedResources } from '../support/shared-resources.ts'
import { failIfStillAlive } from './end-watch.ts'

export type EndedFile = {
  name: string
  seconds: number
  /** Of this process and of its children that ended meanwhile. */
  processorSeconds: number
}

export type TestProcess = {
  files: { name: string; path: string }[]
  /** Gets a line for each file that has ended. */
  endedFiles: string
}

/**
 * Runs several test files in this process, one after the other. Each is a suite, so that its hooks are its own. A file
 * that cannot be imported fails; the other files still run.
 */
export async function importTestFiles({ files, endedFiles }: TestProcess): Promise<void> {
  if (files.some(({ path }) => readFileSync(path, 'utf8').includes("'fast-check'"))) {
    const { fixPropertySeed } = await import('../support/property-seed.ts')
    fixPropertySeed()
  }
  after(async () => {
    await sharedResources.disposeAsync()
    failIfStillAlive(files.map(({ name }) => name))
  })
  for (const { name, path } of files) {
    await new Promise<void>((imported) => {
      void suite(name, async () => {
        let [startedAt, usedBefore] = [0, 0]
        before(() => {
          startedAt = performance.now()
          usedBefore = readProcessorSeconds()
        })
        await import(pathToFileURL(path).href).finally(imported)
        after(() => {
          const ended: EndedFile = {
            name,
            seconds: (performance.now() - startedAt) / 1000,
            processorSeconds: readProcessorSeconds() - usedBefore,
          }
          appendFileSync(endedFiles, `${JSON.stringify(ended)}\n`)
        })
      })
    })
  }
}

/** Of this process, and on Linux of its ended children too. */
function readProcessorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + readSecondsOfChildren()
}

function readSecondsOfChildren(): number {
  if (process.platform !== 'linux') return 0
  // The fields after the name of the program, which may contain spaces; times are in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}
