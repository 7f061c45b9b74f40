import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../../faults/cluster/free-port.ts'
import { startProgram } from '../../support/service/run-program.ts'
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
  const args = ['-insecure', '-http', host, '-turn', `127.0.0.1:${turnPort}`]
  const server = startProgram([program, ...args], { cwd: folder })
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
      await server[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
