import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { takeFirst } from '../support/take-first.ts'
import { sharedResources } from '../support/shared-resources.ts'
import { failIfStillAlive } from './end-watch.ts'

export type EndedFile = {
  name: string
  seconds: number
  /** Of this process and of its children that ended meanwhile. */
  processorSeconds: number
}

export type TestProcess = {
  /** The files of several processes, in the order in which they take them. */
  files: readonly { name: string; path: string }[]
  /** Has an empty folder for each file that a process has taken. */
  taken: string
  /** Gets a line for each file that has ended. */
  endedFiles: string
}

/**
 * Runs test files in this process, one after the other, until the processes of the run have taken all. Each is a suite,
 * so that its hooks are its own. A file that cannot be imported fails; the other files still run.
 */
export async function importTestFiles({ files, taken, endedFiles }: TestProcess): Promise<void> {
  const names: string[] = []
  after(async () => {
    await sharedResources.disposeAsync()
    failIfStillAlive(names)
  })
  // The process disposes of shared resources when a suite ends and no other is registered.
  let previousMayEnd = Promise.withResolvers<void>()
  for (const [index, { name, path }] of files.entries()) {
    if (!takeFirst(join(taken, String(index)))) continue
    names.push(name)
    if (readFileSync(path, 'utf8').includes("'fast-check'")) {
      const { fixPropertySeed } = await import('../support/property-seed.ts')
      fixPropertySeed()
    }
    const mayEnd = Promise.withResolvers<void>()
    await new Promise<void>((ended) => {
      void suite(name, async () => {
        let [startedAt, usedBefore] = [0, 0]
        before(() => {
          startedAt = performance.now()
          usedBefore = readProcessorSeconds()
        })
        await import(pathToFileURL(path).href).finally(() => {
          // Registered last, so that it runs after the hooks of the file.
          after(async () => {
            const file: EndedFile = {
              name,
              seconds: (performance.now() - startedAt) / 1000,
              processorSeconds: readProcessorSeconds() - usedBefore,
            }
            appendFileSync(endedFiles, `${JSON.stringify(file)}\n`)
            ended()
            await mayEnd.promise
          })
        })
      })
      previousMayEnd.resolve()
    })
    previousMayEnd = mayEnd
  }
  previousMayEnd.resolve()
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
