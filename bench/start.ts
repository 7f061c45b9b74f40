import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

export const start = {
  about:
    'time from `node bin/hansard.mjs serve` to the box: on an empty data folder, then warm; and to stop',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-bench-'))
    try {
      const bare = await timeBareNode()
      for (const name of ['first', 'warm', 'warm', 'warm']) {
        const { readyMs, stopMs } = await timeStart(join(folder, 'data'))
        const ratio = (readyMs / bare).toFixed(1)
        console.log(
          `  ${name.padEnd(6)} ready in ${readyMs} ms (${ratio} times an empty Node), stopped in ${stopMs} ms`,
        )
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function timeBareNode(): Promise<number> {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '']), 'exit')
  return performance.now() - began
}

async function timeStart(data: string): Promise<{ readyMs: number; stopMs: number }> {
  const env = {
    PATH: process.env['PATH'],
    HANSARD_DATA: data,
    HANSARD_PORT: '0',
    HANSARD_LOG_LEVEL: 'error',
  }
  const began = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'bin/hansard.mjs'), 'serve'], { env })
  child.stderr.pipe(process.stderr)
  for await (const chunk of child.stdout) if (String(chunk).includes('╰')) break
  const readyMs = Math.round(performance.now() - began)
  const stopping = performance.now()
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { readyMs, stopMs: Math.round(performance.now() - stopping) }
}
