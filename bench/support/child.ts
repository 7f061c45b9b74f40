import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A server in a process of its own, which sends `{ url }` when it is ready. */
export async function startChild(
  script: string,
  env: Record<string, string>,
): Promise<AsyncDisposable & { url: string }> {
  const child: ChildProcess = fork(script, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'inherit',
  })
  const [message] = (await once(child, 'message')) as [{ url: string }]
  return {
    url: message.url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
