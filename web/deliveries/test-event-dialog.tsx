import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiTestCallbackResult } from '../../src/http/shapes/deliveries.ts'
import { useApi } from '../api/app-state.tsx'
import { SigningTokenField } from '../meetings/callback-fields.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { TextField, Form, readFormText, useAction } from '../ui/forms/form.tsx'
import { testEventResultText } from './delivery-texts.ts'

/** Sends a test event to a callback URL, signed and delivered like a real event. */
export function TestEventDialog({ onClose }: { onClose: () => void }) {
  const api = useApi()
  const [result, setResult] = useState<ApiTestCallbackResult | null>(null)
  const action = useAction(async (values: FormData) => {
    setResult(null)
    const callbackUrl = readFormText(values, 'callbackUrl')
    const tokenId = readFormText(values, 'tokenId')
    setResult(await api.callbacks.test({ callbackUrl, tokenId }))
  })
  return (
    <Dialog title="Send test event" onClose={onClose}>
      <Form action={action}>
        <TextField
          name="callbackUrl"
          label="Callback URL"
          description="Use listen:inbox for the console inbox; it must be open in a tab"
          hasAutofocus
        />
        <SigningTokenField />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={action.isRunning}>
            Send
          </Button>
        </Group>
        <div role="status">{result && <Result result={result} />}</div>
      </Form>
    </Dialog>
  )
}

function Result({ result }: { result: ApiTestCallbackResult }) {
  const { answer } = result
  return (
    <Stack gap={4}>
      <Text fw={650}>{testEventResultText(result)}</Text>
      {answer !== '' && (
        <Code block className="wrap-code">
          {answer}
        </Code>
      )}
    </Stack>
  )
}
