import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { isExecutable } from '../../src/lib/files/installed-files.ts'
import { LIMIT_MS } from '../support/service/run-program.ts'
import { CHART } from './deploy-files.ts'

/** HELM and KUBECONFORM name the programs if they are not in PATH. */
const helm = findProgram('helm', process.env['HELM'])
const kubeconform = findProgram('kubeconform', process.env['KUBECONFORM'])
/** A value of kubeconform's -schema-location on this machine, because tests don't connect to other machines. */
const schemas = process.env['KUBECONFORM_SCHEMAS']

const NO_HELM = helm === null && 'helm is not in PATH, and HELM is not set'
const NO_KUBECONFORM =
  NO_HELM ||
  (kubeconform === null && 'kubeconform is not in PATH, and KUBECONFORM is not set') ||
  (schemas === undefined && 'KUBECONFORM_SCHEMAS is not set')

const TEMPLATE = ['template', 'test', CHART, '--kube-version', '1.33.0']

/** The value that has no default for every environment. */
const CHOICE = { browser: { seccompProfile: 'hansard/seccomp.json' } }

/** Values that turn on every optional part of the chart. */
const EVERYTHING = {
  ...CHOICE,
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'certificate' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  autoscaling: { enabled: true },
  networkPolicy: { from: [{ namespaceSelector: {} }], egress: [{ to: [{ podSelector: {} }] }] },
  secrets: { OPENAI_API_KEY: { name: 'models', key: 'openai' } },
  settings: { HANSARD_PUBLIC_URL: 'https://hansard.example.com' },
  imagePullSecrets: [{ name: 'registry' }],
  extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }],
  podAnnotations: { note: 'text' },
  podLabels: { team: 'meetings' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'bots', operator: 'Exists' }],
  priorityClassName: 'high',
}

/** One Deployment for each role. */
const ROLES = {
  api: { replicas: 2 },
  tasks: { replicas: 1 },
  bots: { replicas: 3, extraSecrets: ['OPENAI_API_KEY'] },
}

type Rendered = {
  kind: string
  metadata: { name: string }
  spec: {
    replicas?: number
    selector: Record<string, string>
    template: {
      spec: {
        containers: [
          { env: { name: string; value: string }[]; resources: { requests: { memory: string } } },
        ]
        volumes: {
          name: string
          projected?: { sources: { secret: { items: { path: string }[] } }[] }
        }[]
        securityContext: { seccompProfile: { type: string } }
      }
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hansard-chart-'))
after(() => rmSync(folder, { recursive: true }))

function findProgram(name: string, given: string | undefined): string | null {
  if (given) return given
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((one) => join(one, name)).find(isExecutable) ?? null
}

function run(program: string | null, args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(program ?? '', args, {
    encoding: 'utf8',
    input,
    timeout: LIMIT_MS,
  })
  return { status, output: stdout, all: stdout + stderr }
}

function writeValues(name: string, values: object): string {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(values))
  return file
}

function renderChart(values: object): string {
  const { status, output, all } = run(helm, [...TEMPLATE, '-f', writeValues('render', values)])
  assert.equal(status, 0, all)
  return output
}

test('helm lint finds no problem in the chart', { skip: NO_HELM }, () => {
  const { status, all } = run(helm, [
    'lint',
    '--strict',
    CHART,
    '-f',
    writeValues('all', EVERYTHING),
  ])
  assert.equal(status, 0, all)
})

test('helm refuses values that no setting has', { skip: NO_HELM }, () => {
  const refused = {
    'an unknown setting': { settings: { HANSARD_PROT: '8080' } },
    'a number': { settings: { HANSARD_PORT: 8080 } },
    'a value that is not allowed': { settings: { HANSARD_RECAP: 'maybe' } },
    'a text in place of a number': { settings: { HANSARD_MAX_BOTS: 'x' } },
    'a secret as a text': { settings: { HANSARD_MASTER_KEY: 'text' } },
    'a secret without a reference': { secrets: { DATABASE_URL: 'postgres://localhost' } },
  }
  for (const [name, values] of Object.entries(refused)) {
    const { status, all } = run(helm, [...TEMPLATE, '-f', writeValues('refused', values)])
    assert.notEqual(status, 0, name)
    assert.match(all, /specifications of the schema/, name)
  }
})

test(
  'the chart asks how browsers run, and gives up their sandbox only when told so',
  { skip: NO_HELM },
  () => {
    const { status, all } = run(helm, [...TEMPLATE, '-f', writeValues('undecided', {})])
    assert.notEqual(status, 0)
    assert.match(all, /Choose how browsers run/)
    const unsafe = renderChart({ browser: { sandbox: false } })
    assert.match(unsafe, /HANSARD_BROWSER_ARGS, value: "\[\\"--no-sandbox\\"\]"/)
    assert.match(unsafe, /type: RuntimeDefault/)
    for (const values of [EVERYTHING, { browser: { seccompProfile: 'RuntimeDefault' } }])
      assert.doesNotMatch(renderChart(values), /no-sandbox/)
  },
)

test('the resources of a node grow with its bots', { skip: NO_HELM }, () => {
  const documents = parseAllDocuments(
    renderChart({ ...CHOICE, settings: { HANSARD_MAX_BOTS: '50' } }),
  )
  const deployment = documents.find((one) => one.get('kind') === 'Deployment')
  const path = ['spec', 'template', 'spec', 'containers', 0, 'resources', 'requests']
  assert.equal(deployment?.getIn([...path, 'cpu']), '5500m')
  assert.equal(deployment?.getIn([...path, 'memory']), '7024Mi')
})

test('the chart refuses values that exclude each other', { skip: NO_HELM }, () => {
  const refused = {
    'minReplicas is larger': { autoscaling: { enabled: true, minReplicas: 9, maxReplicas: 3 } },
    'Set networkPolicy.from': { ingress: { enabled: true } },
    'Set roles in place of': { settings: { HANSARD_ROLES: 'bots' } },
    'specifications of the schema[^]*roles': { roles: { bots: { replicas: 1 } } },
  }
  for (const [message, values] of Object.entries(refused)) {
    const file = writeValues('excluded', { ...CHOICE, ...values })
    const { status, all } = run(helm, [...TEMPLATE, '-f', file])
    assert.notEqual(status, 0, message)
    assert.match(all, new RegExp(message))
  }
})

test('secrets are files, and the environment contains none', { skip: NO_HELM }, () => {
  const rendered = renderChart(EVERYTHING)
  assert.doesNotMatch(rendered, /secretKeyRef/)
  const deployment = parseAllDocuments(rendered).find((one) => one.get('kind') === 'Deployment')
  assert.ok(deployment)
  const { volumes } = deployment.toJS().spec.template.spec as {
    volumes: Array<{ projected?: { sources: Array<{ secret: object }> } }>
  }
  assert.deepEqual(
    volumes.flatMap(({ projected }) => projected?.sources ?? []),
    [
      { secret: { name: 'hansard', items: [{ key: 'database-url', path: 'DATABASE_URL' }] } },
      { secret: { name: 'hansard', items: [{ key: 'master-key', path: 'HANSARD_MASTER_KEY' }] } },
      { secret: { name: 'models', items: [{ key: 'openai', path: 'OPENAI_API_KEY' }] } },
    ],
  )
})

test(
  'with roles each one has a Deployment, and browsers run without other secrets',
  { skip: NO_HELM },
  () => {
    const secrets = {
      ANTHROPIC_API_KEY: { name: 'a', key: 'k' },
      OPENAI_API_KEY: { name: 'o', key: 'k' },
    }
    const documents = parseAllDocuments(renderChart({ ...EVERYTHING, roles: ROLES, secrets })).map(
      (one) => one.toJS() as Rendered,
    )
    const deployments = documents.filter(({ kind }) => kind === 'Deployment')
    const summary = deployments.map(({ metadata, spec }) => {
      const { containers, volumes, securityContext } = spec.template.spec
      const [{ env, resources }] = containers
      const files = volumes.flatMap(({ projected }) => projected?.sources ?? [])
      return [
        metadata.name,
        spec.replicas,
        env.find(({ name }) => name === 'HANSARD_ROLES')?.value,
        securityContext.seccompProfile.type,
        resources.requests.memory,
        volumes.some(({ name }) => name === 'ca'),
        files.map(({ secret }) => secret.items[0]?.path).join(' '),
      ]
    })
    const all = 'ANTHROPIC_API_KEY DATABASE_URL HANSARD_MASTER_KEY OPENAI_API_KEY'
    const some = 'DATABASE_URL OPENAI_API_KEY'
    assert.deepEqual(summary, [
      ['test-hansard-api', 2, 'api', 'RuntimeDefault', '1024Mi', true, all],
      // The autoscaler sets its number.
      ['test-hansard-bots', undefined, 'bots', 'Localhost', '3424Mi', false, some],
      ['test-hansard-tasks', 1, 'tasks', 'RuntimeDefault', '1024Mi', true, all],
    ])
    const services = documents.filter(({ kind }) => kind === 'Service')
    assert.deepEqual(
      services.map(({ spec }) => spec.selector['app.kubernetes.io/component']),
      ['api', undefined],
    )
  },
)

test('an update is checked for migrations, unless all nodes stop before', { skip: NO_HELM }, () => {
  const hook = /helm\.sh\/hook: pre-upgrade/
  assert.match(renderChart(CHOICE), hook)
  assert.match(renderChart(CHOICE), /command: \[hansard, upgrade, --check\]/)
  assert.doesNotMatch(renderChart({ ...CHOICE, strategy: 'Recreate' }), hook)
})

for (const [name, values] of Object.entries({
  'the default values': CHOICE,
  'every option': EVERYTHING,
  roles: { ...EVERYTHING, roles: ROLES },
})) {
  test(`kubeconform accepts the chart with ${name}`, { skip: NO_KUBECONFORM }, () => {
    const args = ['-strict', '-summary', '-schema-location', schemas ?? '', '-']
    const { status, all } = run(kubeconform, args, renderChart(values))
    assert.equal(status, 0, all)
  })
}
