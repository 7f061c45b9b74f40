type Cost = {
  nodeCpuMs: number
  databaseCpuMs: number
  walBytes: number
  walRecords: number
  statements: number
}

/** The cost of one unit of work, as measured by `npm run bench -- nodes cost`. */
export type UnitCosts = {
  idleSecond: Cost
  meetingSecond: Cost
  segment: Cost
  /** All callbacks of a meeting with partial captions. */
  callbacksSecond: Cost
  delivery: Cost
  execution: Cost
  segmentsPerMeetingSecond: number
  eventsPerSegment: number
  /** Including indexes. */
  bytes: {
    segment: number
    event: number
    delivery: number
    execution: number
    documentLine: number
  }
}

/** Assumptions about meetings and machines. Everything else in the table follows from measured costs. */
export const ASSUMPTIONS = {
  /** A bot in a shared browser, measured by `npm run bench -- bots`. */
  coresPerBot: 0.1,
  memoryMbPerBot: 120,
  meetingMinutes: 45,
  /** A day has this many hours that are as busy as the busiest one. */
  busyHoursPerDay: 8,
  executionsPerMeeting: 1,
  coresPerNode: 16,
  memoryGbPerNode: 64,
  /** Cores of the PostgreSQL machine. The plan uses half of them. */
  databaseCores: 16,
  usableShare: 0.5,
  /** Steady WAL that a disk and a replica can follow without falling behind. */
  walMbPerSecond: 50,
  eventDays: 30,
  /** During speech, a partial caption changes about three times a second. Each change is a message to all nodes. */
  messagesPerMeetingSecond: 3,
  /** A busy node groups messages of about 600 bytes into notifications of at most 7,900 bytes. */
  messagesPerNotification: 10,
  /** PostgreSQL's cost with three nodes, relative to one. Measured by `npm run bench -- nodes throughput`. */
  severalNodesFactor: 1.94,
  /** Measured by `npm run bench -- nodes messages` with 30 nodes on a machine with 2 cores. */
  notificationsPerSecond: 5_400,
}

export const CONCURRENT_MEETINGS = [10, 100, 1_000, 10_000, 100_000]

export type ScaleRow = {
  meetings: number
  meetingsPerDay: number
  botCores: number
  serviceCores: number
  nodes: number
  databaseCores: number
  /** Instances with one PostgreSQL each, so that none of its limits is exceeded. */
  instances: number
  walMbPerSecond: number
  /** Data with indexes after the event days, and a year's growth of transcripts if meetings are never deleted. */
  eventsGb: number
  transcriptsGbPerYear: number
  bottleneck: string
}

/** The machines for this many simultaneous meetings. */
export function calculateScaleRow(costs: UnitCosts, meetings: number): ScaleRow {
  const { coresPerBot, memoryMbPerBot, usableShare } = ASSUMPTIONS
  const perSecond = calculateCostPerMeetingSecond(costs)
  const meetingsPerDay = (meetings * ASSUMPTIONS.busyHoursPerDay * 60) / ASSUMPTIONS.meetingMinutes
  const segmentsPerDay =
    meetingsPerDay * ASSUMPTIONS.meetingMinutes * 60 * costs.segmentsPerMeetingSecond
  const botCores = meetings * coresPerBot
  const serviceCores = (meetings * perSecond.nodeCpuMs) / 1000
  const nodes = Math.max(
    1,
    Math.ceil((botCores + serviceCores) / ASSUMPTIONS.coresPerNode),
    Math.ceil((meetings * memoryMbPerBot) / (ASSUMPTIONS.memoryGbPerNode * 1024)),
  )
  const factor = nodes === 1 ? 1 : ASSUMPTIONS.severalNodesFactor
  const databaseCores = (factor * meetings * perSecond.databaseCpuMs) / 1000
  const walMbPerSecond = (meetings * perSecond.walBytes) / 1e6
  // A single node sends no messages.
  const notifications =
    nodes === 1
      ? 0
      : (meetings * ASSUMPTIONS.messagesPerMeetingSecond) / ASSUMPTIONS.messagesPerNotification
  const limits = {
    'messages between nodes': notifications / ASSUMPTIONS.notificationsPerSecond,
    'processor of PostgreSQL': databaseCores / (ASSUMPTIONS.databaseCores * usableShare),
    'WAL of PostgreSQL': walMbPerSecond / ASSUMPTIONS.walMbPerSecond,
  }
  const instances = Math.max(1, Math.ceil(Math.max(...Object.values(limits))))
  const eventBytes = costs.eventsPerSegment * (costs.bytes.event + costs.bytes.delivery)
  return {
    meetings,
    meetingsPerDay,
    botCores,
    serviceCores,
    nodes,
    databaseCores,
    instances,
    walMbPerSecond,
    eventsGb: (segmentsPerDay * eventBytes * ASSUMPTIONS.eventDays) / 1e9,
    transcriptsGbPerYear:
      (segmentsPerDay * (costs.bytes.segment + costs.bytes.documentLine) * 250) / 1e9,
    bottleneck: findBottleneck(nodes, limits),
  }
}

/** The cost of one second of one meeting, including its segments, its callbacks and its share of executions. */
export function calculateCostPerMeetingSecond(costs: UnitCosts): Cost {
  const { segmentsPerMeetingSecond: segments } = costs
  const executions = ASSUMPTIONS.executionsPerMeeting / (ASSUMPTIONS.meetingMinutes * 60)
  const sum = (name: keyof Cost) =>
    costs.meetingSecond[name] +
    costs.segment[name] * segments +
    costs.callbacksSecond[name] +
    costs.execution[name] * executions
  return {
    nodeCpuMs: sum('nodeCpuMs'),
    databaseCpuMs: sum('databaseCpuMs'),
    walBytes: sum('walBytes'),
    walRecords: sum('walRecords'),
    statements: sum('statements'),
  }
}

/** The resource that runs out first when meetings are added. */
function findBottleneck(nodes: number, limits: Readonly<Record<string, number>>): string {
  const [name, used] = Object.entries(limits).reduce((a, b) => (a[1] >= b[1] ? a : b))
  if (used > 0.9) return `${name}: several instances`
  return nodes > 1 ? 'processor for browsers: more nodes' : 'none on one machine'
}

export function printScaleTable(costs: UnitCosts): void {
  const perSecond = calculateCostPerMeetingSecond(costs)
  const limit =
    (ASSUMPTIONS.databaseCores * ASSUMPTIONS.usableShare * 1000) / perSecond.databaseCpuMs
  console.log('  computed from these costs; nothing below was run at that size')
  console.log(
    `    a meeting costs ${perSecond.nodeCpuMs.toFixed(2)} ms of a node, ${perSecond.databaseCpuMs.toFixed(2)} ms of PostgreSQL, ${perSecond.walBytes.toFixed(0)} bytes of WAL and ${perSecond.statements.toFixed(1)} statements a second, without its browser`,
  )
  console.log(
    `    one PostgreSQL with ${ASSUMPTIONS.databaseCores} cores, half of them used: ${limit.toFixed(0)} meetings at the same time`,
  )
  console.log(
    '| Meetings at once | a day | Browser cores | Service cores | Nodes | PostgreSQL cores | Instances | WAL MB/s | Events GB (30 days) | Transcripts GB/year | First bottleneck |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const meetings of CONCURRENT_MEETINGS) {
    const row = calculateScaleRow(costs, meetings)
    const cells = [
      row.meetings.toLocaleString('en'),
      Math.round(row.meetingsPerDay).toLocaleString('en'),
      row.botCores.toFixed(0),
      row.serviceCores.toFixed(1),
      row.nodes.toLocaleString('en'),
      row.databaseCores.toFixed(2),
      row.instances.toLocaleString('en'),
      row.walMbPerSecond.toFixed(2),
      row.eventsGb.toFixed(1),
      row.transcriptsGbPerYear.toFixed(1),
      row.bottleneck,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
