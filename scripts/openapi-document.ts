import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openService } from '../src/app/service.ts'
import { parseConfig } from '../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../src/config/load-config.ts'
import { createLog } from '../src/log.ts'
import type { OpenApiDocument } from './client-operations.ts'

/** The OpenAPI documents for programs and of the console, from a service that is started in a temporary folder. */
export async function readOpenApiDocuments(): Promise<Record<'api' | 'console', OpenApiDocument>> {
  const data = mkdtempSync(join(tmpdir(), 'hansard-client-'))
  try {
    const env = { HANSARD_DATA: data, HANSARD_PORT: '0' }
    await using service = await openService(
      parseConfig({ env, root: INSTALLATION_FOLDER }),
      createLog('error'),
    )
    return {
      api: service.openapi() as OpenApiDocument,
      console: service.openapi('/web') as OpenApiDocument,
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Prints generated files. If the script was started with --write, writes them into the installation instead. */
export function printOrWriteFiles(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    if (process.argv.includes('--write')) writeFileSync(join(INSTALLATION_FOLDER, name), text)
    else process.stdout.write(text)
  }
}
