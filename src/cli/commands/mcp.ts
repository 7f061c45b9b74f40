import { once } from 'node:events'
import type { Command } from 'commander'
import { createClient } from 'hansard/client'
import { OperatorError } from '../../errors.ts'
import { loadClientSettings, VERSION } from '../../config/load-config.ts'

const HELP = `
For assistants that start their tools as programs. The API key comes from HANSARD_API_KEY, the address of the
service from --service or HANSARD_URL. An assistant that can speak HTTP needs no bridge: give it
http://127.0.0.1:8080/mcp and the key as a bearer.`

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('let an assistant use a running service over standard input and output')
    .option('--service <url>', 'default: HANSARD_URL, or http://127.0.0.1:8080')
    .addHelpText('after', HELP)
    .action(runBridge)
}

async function runBridge({ service }: { service?: string }): Promise<void> {
  const { url, apiKey } = loadClientSettings()
  if (apiKey === undefined) {
    throw new OperatorError('An API key is needed', 'Set HANSARD_API_KEY to the sk_… of a token')
  }
  const client = openClient(service ?? url, apiKey)
  const { token } = await client.token.get().catch((error: unknown) => {
    throw new OperatorError(
      `The service at ${service ?? url} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      'Is it running, and is HANSARD_API_KEY a key of it?',
      error,
    )
  })
  const [{ serveStdio }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../mcp/mcp-server.ts'),
  ])
  const scopes = token.scopes ?? ['meetings', 'tasks']
  const ended = once(process.stdin, 'end')
  const handle = serveStdio(() => createMcpServer({ version: VERSION, client, scopes }))
  await ended
  await handle.close()
}

function openClient(url: string, apiKey: string) {
  try {
    return createClient({ url, apiKey })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OperatorError(`${url} is not the address of a service`, 'Check HANSARD_URL', error)
  }
}
