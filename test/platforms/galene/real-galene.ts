import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../../faults/cluster/free-port.ts'
import { eventually } from '../../support/time/eventually.ts'

export type RealGalene = AsyncDisposable & {
  /** `127.0.0.1:PORT` */
  host: string
  groupUrl(name: string): string
}

/** Starts a real Galène server on loopback. Its folder `static` must be next to the program. */
export async function openRealGalene(
  program: string,
  groups: Readonly<Record<string, object>>,
): Promise<RealGalene> {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-galene-'))
  for (const name of ['data', 'groups', 'recordings']) mkdirSync(join(folder, name))
  cpSync(join(dirname(program), 'static'), join(folder, 'static'), { recursive: true })
  for (const [name, description] of Object.entries(groups))
    writeFileSync(join(folder, 'groups', `${name}.json`), JSON.stringify(description))
  const [port, turnPort] = [await findFreePort(), await findFreePort()]
  const host = `127.0.0.1:${port}`
  const server = spawn(program, ['-insecure', '-http', host, '-turn', `127.0.0.1:${turnPort}`], {
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  const groupUrl = (name: string) => `http://${host}/group/${name}/`
  await eventually(async () => {
    try {
      return (await fetch(`http://${host}/public-groups.json`)).ok ? true : null
    } catch {
      return null
    }
  })
  return {
    host,
    groupUrl,
    async [Symbol.asyncDispose]() {
      server.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
