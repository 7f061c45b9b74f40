import { createHook, type AsyncHook } from 'node:async_hooks'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { takeFirst } from '../support/take-first.ts'
import { sharedResources } from '../support/shared-resources.ts'
import { endWithRun, failIfStillAlive } from './end-watch.ts'

export type EndedFile = {
  name: string
  seconds: number
  /** Includes children that have ended. */
  processorSeconds: number
}

export type TestProcess = {
  /** The files of several processes, in the order in which they are taken. */
  files: readonly { name: string; path: string }[]
  /** Contains an empty folder for each file that a process has taken. */
  taken: string
  /** Gets a line for each file that has ended. */
  endedFiles: string
}

/**
 * Runs test files in this process, one after the other, until the run's processes have taken all files. Each file is a
 * suite, so that it has its own hooks. A file that cannot be imported fails; the others still run.
 */
export async function importTestFiles({ files, taken, endedFiles }: TestProcess): Promise<void> {
  const names: string[] = []
  const tracking = captureAsyncTracking(() =>
    after(async () => {
      await sharedResources.disposeAsync()
      failIfStillAlive(names)
    }),
  )
  endWithRun()
  reportUncaughtErrors(() => names.at(-1))
  // When a suite ends and no other is registered, the process disposes of shared resources.
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
      tracking?.enable()
      void suite(name, async () => {
        let [startedAt, usedBefore] = [0, 0]
        before(() => {
          startedAt = performance.now()
          usedBefore = readProcessorSeconds()
        })
        await import(pathToFileURL(path).href).finally(() => {
          // Registered last, so that it runs after the file's own hooks.
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
          tracking?.disable()
        })
      })
      previousMayEnd.resolve()
    })
    previousMayEnd = mayEnd
  }
  previousMayEnd.resolve()
}

/**
 * The hook with which node:test finds the suite that a call of `test` belongs to, by following every promise. It is needed
 * only while a file is imported, and would take a sixth of the processor time of all tests.
 */
function captureAsyncTracking(startRunner: () => void): AsyncHook | null {
  const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook
  const { enable } = prototype
  let captured: AsyncHook | null = null
  prototype.enable = new Proxy(enable, {
    apply(_, hook: AsyncHook) {
      captured = hook
      return enable.call(hook)
    },
  })
  startRunner()
  prototype.enable = enable
  return captured
}

/** The runner fails after an error that no test catches. Without its tracking, it cannot say more about it. */
function reportUncaughtErrors(currentFile: () => string | undefined): void {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      const text = error instanceof Error ? error.stack : String(error)
      process.stderr.write(`${event} while ${currentFile()} ran: ${text}\n`)
    })
}

/** The time of this process and, on Linux, of its ended children. */
function readProcessorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + readSecondsOfChildren()
}

function readSecondsOfChildren(): number {
  if (process.platform !== 'linux') return 0
  // The fields after the program's name, which may itself contain spaces. Times are in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}
