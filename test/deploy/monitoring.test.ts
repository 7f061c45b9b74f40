import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Registry, type Metric } from 'prom-client'
import { parse, stringify } from 'yaml'
import { startService } from '../support/service/start-service.ts'
import { ROOT, readText } from './deploy-files.ts'

type Family = { type: string; labels: readonly string[] }
type Query = { where: string; expr: string; texts: string[] }

/** Prometheus adds these to every series. */
const TARGET_LABELS = ['job', 'instance']
const METRIC = /\b(?:hansard|process|nodejs)_\w+/g

function readAlerts(): Query[] {
  const { groups } = parse(readText('deploy/monitoring/alerts.yml')) as {
    groups: Array<{
      rules: Array<{ alert: string; expr: string; annotations: Record<string, string> }>
    }>
  }
  const rules = groups.flatMap((group) => group.rules)
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  return rules.map(({ alert, expr, annotations }) => ({
    where: alert,
    expr,
    texts: Object.values(annotations).map((text) => text.replaceAll('$labels.', '')),
  }))
}

function readPanels(): Query[] {
  const { panels } = JSON.parse(readText('deploy/monitoring/grafana-dashboard.json')) as {
    panels: Array<{
      id: number
      title: string
      targets?: Array<{ expr: string; legendFormat: string }>
    }>
  }
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expr, texts: [legendFormat] })),
  )
}

/** Every metric of a service, even those that have no series yet. */
async function readFamilies(): Promise<Map<string, Family>> {
  const found = new Map<string, Metric>()
  const { registerMetric } = Registry.prototype
  Registry.prototype.registerMetric = function register(metric) {
    found.set((metric as Metric & { name: string }).name, metric)
    return registerMetric.call(this, metric)
  }
  const families = new Map<string, Family>()
  try {
    await using _ = await startService()
    for (const [name, metric] of found) {
      const { type } = await metric.get()
      const { labelNames } = metric as Metric & { labelNames: string[] }
      const own = String(type) === 'summary' ? ['quantile'] : []
      families.set(name, { type: String(type), labels: [...labelNames, ...own] })
      if (!/histogram|summary/.test(String(type))) continue
      for (const [suffix, own] of [
        ['bucket', ['le']],
        ['sum', []],
        ['count', []],
      ] as const)
        families.set(`${name}_${suffix}`, { type: 'counter', labels: [...labelNames, ...own] })
    }
  } finally {
    Registry.prototype.registerMetric = registerMetric
  }
  return families
}

function findProblems({ where, expr, texts }: Query, families: Map<string, Family>): string[] {
  const names = [...expr.matchAll(METRIC)].map(([name]) => name)
  const unknown = names.filter((name) => !families.has(name))
  const labels = new Set([
    ...TARGET_LABELS,
    ...names.flatMap((name) => families.get(name)?.labels ?? []),
  ])
  const selected = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name = '', list = '']) =>
    [...list.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)]
      .map(([, label = '']) => label)
      .filter((label) => ![...TARGET_LABELS, ...(families.get(name)?.labels ?? [])].includes(label))
      .map((label) => `${name} has no label ${label}`),
  )
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(', '),
  )
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/\{\{ ?(\w+) ?\}\}/g)].map(([, label = '']) => label),
  )
  // Only increases of a counter mean something, and only a counter can be asked for them.
  const misused = [...expr.matchAll(/(?:(\w+)\()?\b((?:hansard|process|nodejs)_\w+)/g)]
    .filter(([, call = '', name = '']) => {
      const isCounter = families.get(name)?.type === 'counter'
      return isCounter !== (call === 'rate' || call === 'increase')
    })
    .map(([text]) => `${text}: counters need rate() or increase(), and gauges must not have it`)
  return [
    ...unknown.map((name) => `there is no metric ${name}`),
    ...selected,
    ...grouped.filter((label) => !labels.has(label)).map((label) => `no label ${label}`),
    ...shown
      .filter((label) => !(grouped.length > 0 ? new Set(grouped) : labels).has(label))
      .map((label) => `${label} is shown, but not in the result`),
    ...misused,
    ...(isBalanced(expr) ? [] : ['the brackets do not match']),
  ].map((problem) => `${where}: ${problem}`)
}

function isBalanced(expr: string): boolean {
  let rest = expr.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').replaceAll(/[^()[\]{}"]/g, '')
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replaceAll(/\(\)|\[\]|\{\}/g, '')
  }
  return rest === ''
}

test('the alert rules and the dashboard use metrics that exist, by their types and labels', async () => {
  const families = await readFamilies()
  const [alerts, panels] = [readAlerts(), readPanels()]
  assert.ok(alerts.length >= 10 && panels.length >= 30)
  assert.deepEqual(
    [...alerts, ...panels].flatMap((query) => findProblems(query, families)),
    [],
  )
  const used = new Set([...alerts, ...panels].flatMap(({ expr }) => expr.match(METRIC) ?? []))
  const unused = [...families.keys()].filter(
    (name) => name.startsWith('hansard_') && ![...used].some((one) => one.startsWith(name)),
  )
  assert.deepEqual(
    unused.filter((name) => !/_(?:bucket|sum|count)$/.test(name)),
    [],
  )
})

test('docs/operate.md names every metric with its labels, and every attribute of a step', async () => {
  const text = readText('docs/operate.md')
  const table = text.match(/^\| `hansard_.*$/gm)?.join('\n') ?? ''
  const rows = new Map(
    [...table.matchAll(/`(hansard_\w+)(?:\{([^}"]*)\})?`/g)].map(([, name = '', labels = '']) => [
      name,
      labels.split(',').filter(Boolean).toSorted(),
    ]),
  )
  const families = [...(await readFamilies())].filter(
    ([name, { labels }]) =>
      name.startsWith('hansard_') && !/_(?:bucket|sum|count)$/.test(name) && labels.length < 3,
  )
  for (const [name, { labels }] of families) {
    const documented = labels.filter((label) => label !== 'quantile')
    assert.deepEqual(rows.get(name), documented.toSorted(), name)
  }
  const used = globSync('src/**/*.ts', { cwd: ROOT }).flatMap(
    (path) => readText(path).match(/(?<=')(?:hansard|gen_ai)(?:\.[a-z_]+)+(?=')/g) ?? [],
  )
  const documented = new Set(text.match(/(?<=`)(?:hansard|gen_ai)(?:\.[a-z_]+)+(?=`)/g))
  const attributes = new Set(used.filter((name) => name !== 'hansard.example.com'))
  assert.deepEqual([...attributes].toSorted(), [...documented].toSorted())
})

test('a wrong name, label, type or bracket in a rule is found', () => {
  const families = new Map([
    ['hansard_a_total', { type: 'counter', labels: ['kind'] }],
    ['hansard_b', { type: 'gauge', labels: [] }],
  ])
  const problemsOf = (expr: string, ...texts: string[]) =>
    findProblems({ where: 'x', expr, texts }, families).length
  assert.equal(problemsOf('sum by (kind) (rate(hansard_a_total{kind="k"}[5m])) > 0', '{{kind}}'), 0)
  assert.equal(problemsOf('hansard_c > 0'), 1)
  assert.equal(problemsOf('rate(hansard_a_total{sort="k"}[5m])'), 1)
  assert.equal(problemsOf('sum by (sort) (rate(hansard_a_total[5m]))'), 1)
  assert.equal(problemsOf('hansard_a_total > 0'), 1)
  assert.equal(problemsOf('rate(hansard_b[5m])'), 1)
  assert.equal(problemsOf('sum(hansard_b', '{{instance}}'), 1)
  assert.equal(problemsOf('max by (job) (hansard_b)', '{{ instance }}'), 1)
})

const isPromtoolMissing = spawnSync('promtool', ['--version']).status !== 0

test(
  'promtool accepts the alert rules, and the queries of the dashboard as rules',
  { skip: isPromtoolMissing && 'there is no promtool' },
  (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-rules-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const queries = join(folder, 'dashboard.yml')
    writeFileSync(queries, stringify(toRules(readPanels())))
    for (const rules of [join(ROOT, 'deploy/monitoring/alerts.yml'), queries]) {
      const args = ['check', 'rules', '--lint=all', '--lint-fatal', rules]
      const { status, stderr, stdout } = spawnSync('promtool', args, { encoding: 'utf8' })
      assert.equal(status, 0, `${stdout}${stderr}`)
    }
  },
)

/** Variables of Grafana have no meaning for Prometheus. */
function toRules(queries: readonly Query[]) {
  const rules = queries.map(({ expr }, i) => ({
    record: `panel:query_${i}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h'),
  }))
  return { groups: [{ name: 'dashboard', rules }] }
}

type Panel = {
  id: number
  type: string
  title: string
  gridPos: Record<'h' | 'w' | 'x' | 'y', number>
  datasource?: { type: string; uid: string }
  fieldConfig?: { defaults: object; overrides: unknown[] }
  targets?: Array<{ refId: string; expr: string; datasource?: unknown }>
  panels?: unknown[]
}

test('the dashboard has the form that Grafana imports: variables, and panels in a grid of 24 columns', () => {
  const board = JSON.parse(readText('deploy/monitoring/grafana-dashboard.json')) as {
    [field: string]: unknown
    schemaVersion: number
    templating: { list: Array<{ name: string; type: string; query: unknown }> }
    panels: Panel[]
  }
  // Grafana keeps an id of its own, and refuses to import another one.
  assert.equal(board['id'] ?? null, null)
  assert.match(String(board['uid']), /^[\w-]{1,40}$/)
  assert.ok(board.schemaVersion >= 36 && typeof board['title'] === 'string')
  const variables = new Set(board.templating.list.map(({ name }) => name))
  const text = JSON.stringify(board.panels)
  const used = [...text.matchAll(/\$\{?(\w+)\}?/g)].flatMap(([, name = '']) => name)
  assert.deepEqual(
    [...new Set(used)].filter((name) => !variables.has(name) && !name.startsWith('__')),
    [],
  )
  const cells = new Set<string>()
  for (const { type, title, gridPos, datasource, fieldConfig, targets, panels } of board.panels) {
    const { h, w, x, y } = gridPos
    assert.ok(h > 0 && w > 0 && x >= 0 && x + w <= 24, title)
    for (let row = y; row < y + h; row += 1)
      for (let column = x; column < x + w; column += 1) {
        assert.ok(!cells.has(`${row} ${column}`), `${title} lies over another panel`)
        cells.add(`${row} ${column}`)
      }
    if (type === 'row') {
      assert.deepEqual([panels, targets], [[], undefined], title)
      continue
    }
    assert.ok(['timeseries', 'stat', 'table', 'gauge', 'bargauge'].includes(type), type)
    assert.deepEqual(datasource, { type: 'prometheus', uid: '${datasource}' }, title)
    assert.ok(fieldConfig !== undefined && Array.isArray(fieldConfig.overrides), title)
    const refIds = targets?.map(({ refId }) => refId) ?? []
    assert.ok(refIds.length > 0 && new Set(refIds).size === refIds.length, title)
  }
})
