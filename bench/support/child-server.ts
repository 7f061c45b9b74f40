import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export type ChildServer = AsyncDisposable & {
  url: string
  /** CPU time used so far. Unlike a rate, it does not depend on other load. */
  cpuMs(): Promise<number>
}

/** The server's script calls this when the server listens. */
export function reportToParent(url: string): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMs: (user + system) / 1000 })
  })
  process.send?.({ url })
}

/** Starts a server in a child process, which sends `{ url }` when it is ready. */
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
