// `npm run bench` lists the benches, and `npm run bench -- NAME` runs one. Some benches accept names of parts. A figure
// is a ratio within one run.
import { loadavg, cpus } from 'node:os'

type Bench = { about: string; run(parts?: readonly string[]): Promise<void> }

const BENCHES: Record<string, () => Promise<Bench>> = {
  api: async () => (await import('./api.ts')).api,
  bots: async () => (await import('./bots.ts')).bots,
  coach: async () => (await import('./coach.ts')).coach,
  connections: async () => (await import('./connections.ts')).connections,
  console: async () => (await import('./console.ts')).consolePages,
  delivery: async () => (await import('./delivery.ts')).delivery,
  feeds: async () => (await import('./feeds.ts')).feeds,
  imports: async () => (await import('./imports.ts')).imports,
  meetings: async () => (await import('./meetings.ts')).meetings,
  nodes: async () => (await import('./nodes.ts')).nodes,
  projects: async () => (await import('./projects.ts')).projects,
  recap: async () => (await import('./recap.ts')).recap,
  recall: async () => (await import('./recall.ts')).recall,
  recordings: async () => (await import('./recordings.ts')).recordings,
  rehearsal: async () => (await import('./rehearsal.ts')).rehearsal,
  speech: async () => (await import('./speech.ts')).speech,
  start: async () => (await import('./start.ts')).start,
  tasks: async () => (await import('./tasks.ts')).tasks,
}

const [name, ...parts] = process.argv.slice(2)
if (name === undefined) {
  for (const [key, load] of Object.entries(BENCHES))
    console.log(`${key.padEnd(12)} ${(await load()).about}`)
} else if (BENCHES[name] === undefined) {
  console.error(`There is no bench ${name}; npm run bench lists them.`)
  process.exitCode = 2
} else {
  const bench = await BENCHES[name]()
  console.log(`${name}: ${bench.about}`)
  console.log(`${cpus().length} cores, load before: ${loadavg()[0]?.toFixed(2)}`)
  await bench.run(parts)
}
