import { NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSigningTokens } from '../account/queries.ts'
import { useFieldError, readFormText } from '../ui/forms.tsx'
import { TextLink } from '../ui/links.tsx'
import { INBOX_CALLBACK_URL } from './use-start-meeting.ts'

const RECEIVER_OPTIONS = [
  { value: 'none', label: 'Nowhere, just watch it here' },
  { value: 'inbox', label: 'The console inbox, to see what your program would receive' },
  { value: 'url', label: 'A callback URL' },
] as const

/** Form fields for the destination of a new meeting's callbacks. */
export function CallbackFields() {
  const [choice, setChoice] = useState('none')
  const problem = useFieldError('callbackUrl')
  return (
    <Stack gap="sm">
      <Radio.Group label="Send callbacks to" name="receiver" value={choice} onChange={setChoice}>
        <Stack gap={6} mt={4}>
          {RECEIVER_OPTIONS.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {choice === 'url' && (
        <TextInput
          name="callbackUrl"
          label="Callback URL"
          placeholder="https://example.com/hook"
          type="url"
          required
          withAsterisk={false}
          error={problem}
        />
      )}
      {choice !== 'none' && <SigningTokenField />}
    </Stack>
  )
}

/** Chooses the token whose signing secret signs the callbacks. */
export function SigningTokenField({ chosen }: { chosen?: string | undefined }) {
  const tokens = useSigningTokens()
  const problem = useFieldError('tokenId')
  // The select takes its initial value when it is created, so its options must exist by then.
  if (tokens === undefined) return null
  const isHidden = chosen !== undefined && tokens.every(({ id }) => id !== chosen)
  if (tokens.length === 0 && !isHidden) {
    return (
      <Text size="sm" role="alert">
        Callbacks are signed with the secret of an API token, and you have no token yet.{' '}
        <TextLink to="/account" search={{ tab: 'tokens' }}>
          Create an API token
        </TextLink>{' '}
        first.
      </Text>
    )
  }
  return (
    <NativeSelect
      name="tokenId"
      label="Sign with token"
      error={problem}
      defaultValue={chosen}
      data={[
        ...(isHidden ? [{ value: chosen, label: 'The current token' }] : []),
        ...tokens.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

export function readCallbackFields(values: FormData): { callbackUrl?: string; tokenId?: string } {
  const receiver = readFormText(values, 'receiver')
  if (receiver !== 'inbox' && receiver !== 'url') return {}
  const callbackUrl =
    receiver === 'inbox' ? INBOX_CALLBACK_URL : readFormText(values, 'callbackUrl')
  return { callbackUrl, tokenId: readFormText(values, 'tokenId') }
}
