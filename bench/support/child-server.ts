import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export type ChildServer = AsyncDisposable & {
  url: string
  /** Processor time it has used so far: unlike a rate, it does not suffer from what else the machine does. */
  cpuMs(): Promise<number>
}

/** To be called by the server's own script once it listens. */
export function reportToParent(url: string): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMs: (user + system) / 1000 })
  })
  process.send?.({ url })
}

/** A server in a process of its own, which sends `{ url }` when it is ready. */
export async function startChildServer(
  script: string,
  env: Record<string, string>,
): Promise<ChildServer> {
  const child: ChildProcess = fork(script, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'inherit',
  })
  const [message] = (await once(child, 'message')) as [{ url: string }]
  return {
    url: message.url,
    async cpuMs() {
      child.send('cpu')
      const [{ cpuMs }] = (await once(child, 'message')) as [{ cpuMs: number }]
      return cpuMs
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
