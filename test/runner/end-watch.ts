import { fstatSync } from 'node:fs'
/** Fails this process if it is still alive some time after its last test, and says what keeps it alive. */
export function failIfStillAlive(files: readonly string[], limitMs = 10_000): void {
  // This timer alone does not keep the process alive.
  setTimeout(() => {
    process.stderr.write(
      `This process did not end within ${limitMs / 1000} s after its last test.\n` +
        `Its files: ${files.join(', ')}\nWhat keeps it alive:\n${describeActiveResources()}\n`,
    )
    process.exit(1)
  }, limitMs).unref()
}

type Handle = { is_active: boolean; is_referenced: boolean }
type Report = { libuv: Handle[]; workers: unknown[] }

/** One line for each timer, socket, child process and thread that keeps this process alive. */
export function describeActiveResources(): string {
  // Looking up the host names of sockets could take minutes.
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { libuv, workers } = report.getReport() as Report
  const handles = libuv.filter((handle) => handle.is_active && handle.is_referenced)
  return [
    `resources: ${process.getActiveResourcesInfo().join(', ')}`,
    ...handles.map((handle) => JSON.stringify(handle)),
    `threads: ${workers.length}`,
  ]
    .map((line) => `  ${line}`)
    .join('\n')
}

/**
 * Ends this process when the run that started it has ended, for example because it was killed. Its input is a pipe from
 * the run. Errors are then no longer printed, and printing them would fail with an error again.
 */
export function endWithRun(): void {
  if (!fstatSync(0).isFIFO() && !fstatSync(0).isSocket()) return
  process.stdin.on('end', () => process.exit(1)).resume()
  process.stdin.unref()
}
