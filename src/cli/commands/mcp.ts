import { once } from 'node:events'
import type { Command } from 'commander'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { loadClientSettings, HANSARD_VERSION } from '../../config/load-config.ts'
import { openClient } from '../open-client.ts'
import { SERVICE_OPTION } from '../service-options.ts'

const HELP = `
For assistants that start MCP servers as programs. The API key is read from HANSARD_API_KEY, the address of the
service from --service or HANSARD_URL. An assistant that supports MCP over HTTP does not need this command:
configure http://127.0.0.1:8080/mcp with the API key as bearer token.`

export function registerMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('run an MCP server on standard input and output, for AI assistants')
    .option(...SERVICE_OPTION)
    .addHelpText('after', HELP)
    .action(runBridge)
}

async function runBridge({ service }: { service?: string }): Promise<void> {
  const { url, apiKey } = loadClientSettings()
  if (apiKey === undefined) {
    throw new OperatorError(
      'An API key is needed',
      'Set HANSARD_API_KEY to the API key (sk_…) of a token',
    )
  }
  const client = openClient(service, { url, apiKey })
  const { token } = await client.token.get().catch((error: unknown) => {
    throw new OperatorError(
      `The service at ${service ?? url} cannot be used: ${errorMessageOf(error)}`,
      'Check that it is running and that HANSARD_API_KEY is one of its keys',
      error,
    )
  })
  const [{ serveStdio }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../mcp/mcp-server.ts'),
  ])
  const scopes = token.scopes ?? ['meetings', 'tasks']
  const ended = once(process.stdin, 'end')
  const handle = serveStdio(() => createMcpServer({ version: HANSARD_VERSION, client, scopes }))
  await ended
  await handle.close()
}
