import { measureRecognizer } from './measures/speech-alone.ts'
import { measureSpokenMeeting } from './measures/speech-meeting.ts'
import {
  measureCorrectionCost,
  measureFalseCorrections,
  measureSpokenNames,
} from './measures/speech-names.ts'
import { joinRecordings, loadHumanReadings, speakSentences } from './support/speech/recordings.ts'

/**
 * `npm run bench -- speech names [QMSum]` measures names in recognized speech. With the folder of QMSum, a public set of
 * real meetings, it also counts false corrections. Synthetic voices need the programs `flite` and `espeak-ng`.
 */
async function runNames(folder: string | undefined): Promise<void> {
  await measureCorrectionCost()
  if (folder !== undefined) await measureFalseCorrections(folder)
  await measureSpokenNames()
}

/** `npm run bench -- speech FILE.wav FILE.txt` also measures a recording (16,000 samples per second) and its text. */
export const speech = {
  about:
    'recognized speech: word errors, processor time and memory, native and WebAssembly, and a spoken meeting of three voices',
  async run() {
    const args = process.argv.slice(3)
    if (args[0] === 'names') return runNames(args[1])
    const voices = speakSentences()
    if (voices === null)
      console.log('  synthetic voices are not measured: the program flite is not installed')
    const synthetic = [...(voices?.values() ?? [])]
    await measureRecognizer([
      ...(await loadHumanReadings(args)),
      ...synthetic.map((recordings) => joinRecordings(recordings)),
    ])
    if (voices !== null) await measureSpokenMeeting(voices)
  },
}
