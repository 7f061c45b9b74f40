import { join } from 'node:path'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import {
  createTestDataFolder,
  type TestDataFolder,
} from '../../test/support/service/service-process.ts'
import { HttpClient } from '../../test/support/http/http-client.ts'
import { ADMIN } from '../../test/support/service/admin-user.ts'
import {
  openRecordingReceiver,
  type RecordingReceiver,
} from '../../test/support/callbacks/recording-receiver.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import { callApi, type ApiAnswer } from './api-call.ts'
import { createClusterNode, type ClusterNode } from './cluster-node.ts'
import { openFaultyDatabaseServer, type FaultyDatabaseServer } from './database-server.ts'

const NODES = 3
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
/** At least one node must answer a read request within this time. */
const READ_MS = 60_000

export type Token = { apiKey: string; signingSecret: string }

export type ClusterOptions = {
  /** Three by default. */
  nodeCount?: number
  /** Additional settings for all nodes. */
  env?: Record<string, string>
  /** `HANSARD_ROLES` of each node. The first one needs the role `api`. All roles by default. */
  roles?: readonly string[]
  /** How far the nodes' machine clocks are ahead. */
  clockOffsetsMs?: readonly number[]
  /** The address under which each node reaches the database; the server's address by default. */
  databaseUrl?: (nodeIndex: number, server: FaultyDatabaseServer) => Promise<string>
  /** Settings of PostgreSQL. */
  serverOptions?: Readonly<Record<string, string>>
  /** The data folder that the nodes share; a new one by default. */
  folder?: TestDataFolder
  /** Gives each node its own data folder instead. */
  hasOwnFolders?: boolean
}

/** Nodes that share a database, an API key, and a receiver that records callbacks. */
export type Cluster = AsyncDisposable & {
  nodes: readonly ClusterNode[]
  database: FaultyDatabaseServer
  receiver: RecordingReceiver
  token: Token
  createTokens(count: number): Promise<Token[]>
  call(
    node: Pick<ClusterNode, 'url'>,
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<ApiAnswer>
  /** Reads from any node that answers with 200. A refusal such as 404 is an error. */
  read(path: string): Promise<ApiAnswer['body']>
}

export type CallOptions = {
  body?: unknown
  token?: Token
  timeoutMs?: number
  headers?: Record<string, string>
}

export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  await using stack = new AsyncDisposableStack()
  const shared = options.folder ?? stack.use(createTestDataFolder())
  const database = stack.use(await openFaultyDatabaseServer(options.serverOptions))
  const folderOf = () =>
    options.hasOwnFolders === true ? stack.use(createTestDataFolder()) : shared
  const nodes = await createNodes(options, folderOf, database)
  for (const node of nodes) {
    stack.use(node)
    await node.start()
  }
  const [first] = nodes
  if (first === undefined) throw new Error('there are no nodes')
  const person = new HttpClient(first.url())
  const code = first.setupLink()?.split('#')[1]
  const { status } = await person.post('/web/setup', { ...ADMIN, code })
  if (status !== 201) throw new Error(`failed to create the first user: status ${status}`)
  const createToken = () => person.createToken()
  const token = await createToken()
  const receiver = stack.use(await openRecordingReceiver(token.signingSecret))
  const call: Cluster['call'] = (node, method, path, { token: other = token, ...more } = {}) =>
    callApi({ url: node.url(), method, path, apiKey: other.apiKey, ...more })
  const opened = stack.move()
  return {
    nodes,
    database,
    receiver,
    token,
    call,
    createTokens: async (count) => {
      const tokens: Token[] = []
      for (let i = 0; i < count; i += 1) tokens.push(await createToken())
      return tokens
    },
    read: (path) =>
      eventually(async () => {
        for (const node of nodes.filter((each) => each.isRunning())) {
          const { status, body } = await call(node, 'GET', path)
          if (status === 200) return body
          if (status >= 400 && status < 500) throw new Error(`${path} answered ${status}`)
        }
        return null
      }, READ_MS),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function createNodes(
  { env = {}, roles = [], clockOffsetsMs = [], databaseUrl, nodeCount = NODES }: ClusterOptions,
  folderOf: () => TestDataFolder,
  database: FaultyDatabaseServer,
): Promise<ClusterNode[]> {
  const nodes: ClusterNode[] = []
  for (let i = 0; i < nodeCount; i += 1) {
    nodes.push(
      createClusterNode({
        name: `node-${i + 1}`,
        clockOffsetMs: clockOffsetsMs[i] ?? 0,
        env: {
          ...folderOf().env,
          DATABASE_URL: `${(await databaseUrl?.(i, database)) ?? database.url()}?application_name=node-${i + 1}`,
          HANSARD_MASTER_KEY: MASTER_KEY,
          HANSARD_RATE_LIMIT: 'off',
          HANSARD_LOG_LEVEL: 'warn',
          // All starts share compiled code, which makes each start faster.
          NODE_COMPILE_CACHE: join(INSTALLATION_FOLDER, 'node_modules/.cache/compile'),
          ...(roles[i] !== undefined && { HANSARD_ROLES: roles[i] }),
          ...env,
        },
      }),
    )
  }
  return nodes
}
