import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Insight } from './coach.ts'
import { createRulesCoach } from './rules-coach.ts'

function insightsIn(text: string, speaker = 'Ann'): Insight[] {
  return createRulesCoach().addSegments([{ number: 7, speaker, text, startedAt: 0 }], 0)
}

function assertFinds(category: string, texts: readonly string[]): void {
  for (const text of texts) {
    assert.deepEqual(
      insightsIn(text).map((insight) => insight.category),
      [category],
      text,
    )
  }
}

function assertFindsNothing(texts: readonly string[]): void {
  for (const text of texts) assert.deepEqual(insightsIn(text), [], text)
}

test('promises are action items', () => {
  assertFinds('action_item', [
    'I will send the report to the client by Wednesday.',
    "I'll check if the server is up.",
    "Okay, so I'll follow up with legal tomorrow.",
    "I'm going to write the release notes.",
    "We'll deploy the fix on Friday.",
    'I’ll get back to you on that.',
    'I will be sending the invoices tonight.',
    "It's not ready, but I'll send it tomorrow.",
    "I'll do it by Friday.",
    "I'll send it tomorrow, okay?",
    "Once it is merged I'll deploy it.",
    "I'll have to ask finance about that.",
    "so yeah I'll set it up and then we can look",
    'The action item for Bob: update the docs.',
    "I'll proofread it.",
  ])
})

test('requests and proposals are action items', () => {
  assertFinds('action_item', [
    'Can you send me the slides?',
    'Can you give Bob access?',
    'Could someone give me access?',
    'Can you please take notes?',
    'Could someone please look into the login bug?',
    'Bob, can you please update the wiki?',
    'Would you mind checking the contract?',
    'can you share the document with the team',
    'Can somebody take notes, please?',
    'Please send me the numbers by Friday.',
    'Anna, please review the draft.',
    "Let's schedule a call with the vendor.",
    "Let's review the figures next week.",
    'Let us send them a reminder.',
  ])
})

test('sentences that are negated, doubtful, conditional, past or about the meeting itself are not action items', () => {
  assertFindsNothing([
    'I will not send it.',
    "I won't send the report.",
    'I will never send it.',
    'I will be honest, this is late.',
    "I'll be there on Friday.",
    'If you want, I will send it.',
    "I'll send it if I have time.",
    'Will I send it?',
    'Did I say I will send it?',
    'I said I will send it.',
    'I sent the report yesterday.',
    'I was going to send it.',
    'I would send the report.',
    "Maybe I'll send it.",
    "I don't think I'll send it.",
    'The report that I will send is long.',
    'He asked if I will fix it.',
    "We'll see.",
    "I'll see you tomorrow.",
    "I'll tell you what.",
    "I'll share my screen.",
    "I'll add one thing.",
    "I'll get to that.",
    "Let's move on.",
    "Let's not send it.",
    "Let's take a break.",
    "Let's look at the numbers.",
    "Let's decide tomorrow.",
    'Can you hear me?',
    'Can you see my screen?',
    'Can you please repeat that?',
    'When can you send it?',
  ])
})

test('statements of a decision are decisions', () => {
  assertFinds('decision', [
    'We decided to ship on Friday.',
    'So we agreed that Bob owns the migration.',
    'We have decided against the new vendor.',
    "Let's go with option B. If it rains, we stay.",
    "OK, then let's stick with Postgres.",
    "We're going with the blue one.",
    "We'll go with the second proposal.",
    "It's decided, we move in May.",
    'The decision is to hire two people.',
    'We’ve all agreed on the budget.',
    "I've decided to cancel the trip.",
    'We agreed not to change the price.',
    'the team has decided to postpone',
    "Great, so that's agreed.",
  ])
})

test('open, asked, conditional or earlier decisions are not decisions', () => {
  assertFindsNothing([
    'We have not decided.',
    "We haven't decided on that.",
    'Did we agree?',
    'did we agree to ship on friday',
    'have we decided to ship on friday',
    'Have we decided to ship?',
    'If we decide to ship, they will know.',
    'If we agreed to this, it would cost us.',
    'We need to decide.',
    'We almost agreed on the price.',
    "I don't think we agreed to that.",
    'I thought we agreed to ship on Friday.',
    'What we decided on was wrong.',
    'The plan that we agreed on is late.',
    'Last year we decided to move to the cloud.',
    'We decided to rewrite it two years ago.',
    'We had decided to leave.',
    'Nobody agreed to that.',
    'We never agreed on that.',
    'We agreed to disagree.',
    "Let's not go with option B.",
    "Let's go with option B if they agree.",
    'Should we go with option B?',
    "We'll go with you to the station.",
    'As we agreed to do, here it is.',
    'Once we have decided on a name we can print.',
    'Before we decided to go there was a debate.',
    "Until it's decided, we wait.",
  ])
})

test('a named risk is reported unless it is denied, asked about, supposed or called small', () => {
  assertFinds('risk', [
    'There is a real risk that the vendor drops out.',
    "That's a serious security risk.",
    'The biggest risk is the migration.',
    'The launch date is at risk.',
    'This puts the whole budget at risk.',
    "We're risking losing the contract.",
    'It is quite risky.',
    'I see a risk there.',
  ])
  assertFindsNothing([
    'There is no risk.',
    'That is not a risk.',
    'Is that a risk?',
    'If there is a risk, we wait.',
    "I don't think that is a risk.",
    'The risk is low.',
    'The risk for us is really minimal.',
    "The launch isn't at risk.",
    'The launch is not at risk.',
    'Maybe there is a risk.',
    'The risk team meets at noon.',
    'She asked whether it is risky.',
  ])
})

test('an objection is reported; questions, agreement and objections of others are not', () => {
  assertFinds('objection', [
    'My main concern is the timeline.',
    'Our only worry is support.',
    'I have serious concerns about the vendor.',
    "I'm not convinced by the second option.",
    'We are still a bit worried about security.',
    'I disagree with that.',
    "I can't support this plan.",
    'The fee is far too high.',
    "It's just too expensive.",
    'The problem with that is the cost.',
  ])
  assertFindsNothing([
    'Do you have concerns?',
    'Is the price too high?',
    'I agree with that.',
    'I have no concerns.',
    "I don't disagree.",
    "I'm not worried about that.",
    'The volume is too high.',
    'The price was too high.',
    'If the price is too high they will say so.',
    'They said the price is too high.',
    'As far as I am concerned we can start.',
    'That is not too expensive.',
  ])
})

test('a statement about the scope of a release or sprint is a decision', () => {
  assertFinds('decision', [
    "Let's keep the export out of this release.",
    "Then let's leave billing out of the second phase.",
    "Let's put both reports into our budget.",
  ])
  assertFindsNothing(["Let's keep an eye on it.", "Let's not put it into the first version."])
})

test('a record names the speaker, quotes the sentence and refers to the segment', () => {
  assert.deepEqual(insightsIn('Right. I will send the report by Wednesday. Anything else?'), [
    {
      category: 'action_item',
      severity: 'info',
      title: 'Action item: Ann took this on',
      text: 'Ann took this on: “I will send the report by Wednesday.”',
      speaker: 'Ann',
      segmentNumbers: [7],
    },
  ])
  const [decision] = insightsIn('We decided to ship on Friday.', '')
  assert.equal(decision?.text, 'Someone stated a decision: “We decided to ship on Friday.”')
  assert.equal(decision?.speaker, null)
})

test('a long sentence is quoted from its promise on and cut at a word', () => {
  const [item] = insightsIn(`${'well '.repeat(40)}I will send ${'the long report '.repeat(40)}`)
  assert.match(item?.text ?? '', /^Ann took this on: “I will send the long report .*[a-z]…”$/)
  assert.ok((item?.text.length ?? 401) <= 400)
})

const GERMAN =
  'Ich denke, wir sollten das auf Donnerstag verschieben, weil niemand Zeit hatte, sich das anzuschauen. Was meint ihr dazu? Um fünf Uhr haben wir noch ein Gespräch mit dem Kunden.'

test('in a German meeting the rules for English are off and the counting rules still work', () => {
  const coach = createRulesCoach()
  let number = 0
  const say = (speaker: string, text: string) => {
    number += 1
    const at = number * 12_000
    return coach
      .addSegments([{ number, speaker, text, startedAt: at }], at)
      .map(({ category }) => category)
  }
  for (let i = 0; i < 4; i += 1) {
    say('Ann', GERMAN)
    say('Bob', 'Ja.')
  }
  assert.deepEqual(say('Bob', "I'll send the report by Friday. We decided to ship."), [])
  const categories = Array.from({ length: 12 }, () => say('Ann', GERMAN)).flat()
  assert.deepEqual(categories, ['monologue'])
})
