import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  findAmiAnnotations,
  readAmiMeetings,
  readOtherAmiWords,
  type AmiMeeting,
} from '../src/recap/trial/ami-meetings.ts'
import { prepareMeeting } from '../src/recap/rules/prepared-meeting.ts'
import { PLACES, readFeatures } from '../src/recap/trained/line-features.ts'
import {
  MIN_TRAINED_WORDS,
  pickSentences,
  smoothScores,
  TRAINED_KINDS,
} from '../src/recap/trained/scores.ts'
import type { SegmentSentence } from '../src/recap/rules/prepared-meeting.ts'
import { countWords } from '../src/language/words.ts'

/**
 * Trains the weights that recognize actions, decisions and sentences for a summary in English, by logistic regression
 * on the AMI corpus: `node bin/with-node.mjs scripts/train-recap.ts FOLDER`. The same corpus gives the same weights.
 */

type Example = { sentence: SegmentSentence; features: number[]; words: number }
type TrainingMeeting = { meeting: AmiMeeting; examples: Example[]; fold: number }
type Model = { weights: Float64Array; bias: number }

const PARTS = { action: 'actions', decision: 'decisions', summary: 'abstract' } as const
/** Words that fewer of the meetings about other topics contain are about the topic of the corpus. */
const MIN_OTHER_MEETINGS = 6
const WORD = /^[a-z][a-z'-]*$/
const MIN_EXAMPLES_OF_FEATURE = 10
const FOLDS = 5
const EPOCHS = 4
const RATE = 0.1
/** Keeps the weights of rare features small. */
const SHRINKAGE = 0.02
/** A line next to a labelled one is taken for labelled too, because labels begin and end at arbitrary lines. */
const NEAR_LINES = 1
/** How many entries are picked for each label in meetings that the weights were not trained on. */
const ENTRIES_PER_LABEL = { action: 0.6, decision: 0.1 }
const DISTANCE = 6
const MAX_PER_MEETING = 15
/** A found line this near to a labelled one is right. */
const RIGHT_LINES = 2
/** Features whose weights are all smaller, in hundredths, are left out. */
const MIN_WEIGHT = 4

const annotations = findAmiAnnotations(process.argv[2] ?? '')
if (annotations === null) throw new Error('The folder has no annotations of the AMI corpus')

const vocabulary = listVocabulary(readOtherAmiWords(annotations))
const training = readAmiMeetings(annotations).filter(({ isHeldOut }) => !isHeldOut)
const { meetings, names } = prepareTraining(training, vocabulary)
const models = TRAINED_KINDS.map((kind) => train(meetings, kind, names.length))
const weights = PLACES.map((place) => {
  const ofPlace = names.flatMap((name, id) => {
    const [, feature] = name.split(`${place}: `)
    const ofKinds = models.map((model) => Math.round(100 * (model.weights[id] ?? 0)))
    const isUsed = ofKinds.some((weight) => Math.abs(weight) >= MIN_WEIGHT)
    return feature !== undefined && name.startsWith(`${place}: `) && isUsed
      ? `      ${JSON.stringify(feature)}: [${ofKinds.join(', ')}]`
      : []
  })
  return `    "${place}": {\n${ofPlace.toSorted().join(',\n')}\n    }`
})
const trained = {
  source:
    'Trained by scripts/train-recap.ts on the AMI Meeting Corpus (https://groups.inf.ed.ac.uk/ami/corpus, CC BY 4.0), without its TS series. Weights of actions, decisions and summary, in hundredths.',
  minScores: { action: findMinScore('action'), decision: findMinScore('decision') },
  vocabulary: [...vocabulary].toSorted().join(' '),
}
const bias = models.map((model) => Math.round(100 * model.bias)).join(', ')
const json = JSON.stringify(trained, null, 2).replace(
  /\n\}$/,
  `,\n  "bias": [${bias}],\n  "weights": {\n${weights.join(',\n')}\n  }\n}\n`,
)
writeFileSync(join(import.meta.dirname, '../src/recap/trained/english.json'), json)
console.log(`${Math.round(json.length / 1024)} KB, ${JSON.stringify(trained.minScores)}`)

function listVocabulary(wordsOfMeetings: ReadonlyArray<ReadonlySet<string>>): Set<string> {
  const meetingsWith = new Map<string, number>()
  for (const word of wordsOfMeetings.flatMap((words) => [...words])) {
    if (WORD.test(word)) meetingsWith.set(word, (meetingsWith.get(word) ?? 0) + 1)
  }
  const isFrequent = ([, count]: [string, number]) => count >= MIN_OTHER_MEETINGS
  return new Set([...meetingsWith].filter(isFrequent).map(([word]) => word))
}

function prepareTraining(all: readonly AmiMeeting[], known: ReadonlySet<string>) {
  const idOf = new Map<string, number>()
  const counts: number[] = []
  const listed = all.map(({ source }) => {
    const features: number[][] = []
    const sentences = readFeatures(prepareMeeting(source), known, (index, place, feature) => {
      const name = `${place}: ${feature}`
      const id = idOf.get(name) ?? idOf.size
      idOf.set(name, id)
      counts[id] = (counts[id] ?? 0) + 1
      const ofSentence = (features[index] ??= [])
      ofSentence.push(id)
    })
    return sentences.map((sentence, index) => ({ sentence, features: features[index] ?? [] }))
  })
  const series = [...new Set(all.map(({ name }) => name.slice(0, -1)))]
  const prepared = all.map((meeting, index): TrainingMeeting => ({
    meeting,
    fold: series.indexOf(meeting.name.slice(0, -1)) % FOLDS,
    examples: (listed[index] ?? []).map(({ sentence, features }) => ({
      sentence,
      words: countWords(sentence.text),
      features: features.filter((id) => (counts[id] ?? 0) >= MIN_EXAMPLES_OF_FEATURE),
    })),
  }))
  return { meetings: prepared, names: [...idOf.keys()] }
}

/** Logistic regression by stochastic gradient descent with AdaGrad. */
function train(
  all: readonly TrainingMeeting[],
  kind: keyof typeof PARTS,
  featureCount: number,
): Model {
  const examples = all.flatMap(({ meeting, examples: ofMeeting }) => {
    const labelled = new Set(meeting.labels[PARTS[kind]].flatMap(({ segments }) => segments))
    return ofMeeting
      .filter(({ words }) => words >= MIN_TRAINED_WORDS - 1)
      .map(({ sentence, features }) => {
        const near = Array.from(
          { length: 2 * NEAR_LINES + 1 },
          (_, step) => sentence.segmentIndex + 1 + step - NEAR_LINES,
        )
        return { features, target: near.some((number) => labelled.has(number)) ? 1 : 0 }
      })
  })
  const weights = new Float64Array(featureCount)
  const squares = new Float64Array(featureCount).fill(1e-6)
  let bias = -4
  let biasSquares = 1e-6
  const random = createRandom()
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const { features, target } of shuffle(examples, random)) {
      const error = probability({ weights, bias }, features) - target
      biasSquares += error * error
      bias -= (RATE * error) / Math.sqrt(biasSquares)
      for (const id of features) {
        const weight = weights[id] ?? 0
        const gradient = error + SHRINKAGE * weight
        const sum = (squares[id] ?? 0) + gradient * gradient
        squares[id] = sum
        weights[id] = weight - (RATE * gradient) / Math.sqrt(sum)
      }
    }
  }
  return { weights, bias }
}

function probability({ weights, bias }: Model, features: readonly number[]): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, id) => sum + (weights[id] ?? 0), bias)))
}

/** Cross-validation by series: the score above which the wanted number of entries is found. */
function findMinScore(kind: 'action' | 'decision'): number {
  const found: Array<{ score: number; isRight: boolean }> = []
  let labels = 0
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = train(
      meetings.filter((other) => other.fold !== fold),
      kind,
      names.length,
    )
    for (const { examples, meeting } of meetings.filter((other) => other.fold === fold)) {
      const ofMeeting = meeting.labels[PARTS[kind]]
      labels += ofMeeting.length
      const lines = ofMeeting.flatMap(({ segments }) => segments)
      const smooth = smoothScores(examples.map(({ features }) => probability(model, features)))
      const candidates = examples
        .map(({ sentence, words }, index) => ({ sentence, words, score: smooth[index] ?? 0 }))
        .filter(({ words }) => words >= MIN_TRAINED_WORDS)
      const limits = { minScore: 0, distance: DISTANCE, max: MAX_PER_MEETING }
      const picked = new Set(pickSentences(candidates, limits))
      for (const { sentence, score } of candidates) {
        if (!picked.has(sentence)) continue
        const number = sentence.segmentIndex + 1
        found.push({ score, isRight: lines.some((line) => Math.abs(line - number) <= RIGHT_LINES) })
      }
    }
  }
  const chosen = found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, Math.round(ENTRIES_PER_LABEL[kind] * labels))
  const right = chosen.filter(({ isRight }) => isRight).length
  console.log(
    `${kind}: ${right} of ${chosen.length} right in series not trained on, ${labels} labels`,
  )
  return Number((chosen.at(-1)?.score ?? 1).toFixed(3))
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items]
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    const [a, b] = [shuffled[index], shuffled[other]]
    if (a !== undefined && b !== undefined) [shuffled[index], shuffled[other]] = [b, a]
  }
  return shuffled
}

/** Numbers from 0 to 1, always the same ones. */
function createRandom(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
}
