// Runs in a process of its own, because the speech program was compiled for browsers and changes global objects.
const { join } = require('node:path')

const [folder, accent, ...phrases] = process.argv.slice(2)
// The program prints to standard output, which is for the result.
Object.assign(console, { log: () => undefined })
const program = require(join(folder, 'src/index.js'))
program.loadConfig(require(join(folder, 'src/mespeak_config.json')))
program.loadVoice(require(join(folder, `voices/en/${accent}.json`)))
const spoken = phrases.map((text) =>
  program.speak(text, { voice: `en/${accent}`, rawdata: 'buffer', speed: 150 }).toString('base64'),
)
process.stdout.write(JSON.stringify(spoken))
