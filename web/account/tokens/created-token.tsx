import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireCreatedToken } from '../../../src/http/shapes/account.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { CopyField } from '../../ui/copy/copy-field.tsx'

interface CreatedTokenSecretsProps {
  created: WireCreatedToken
  onDone: () => void
}

export function CreatedTokenSecrets({ created, onDone }: CreatedTokenSecretsProps) {
  const { apiKey, signingSecret } = created
  const [isStored, setStored] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const markCopied = () => setCopied(true)
  return (
    <Stack gap="md">
      <Text>These values are shown only once. Store them now in a safe place.</Text>
      <CopyField label="API key" value={apiKey} what="API key" hasAutofocus onCopied={markCopied} />
      <CopyField
        label="Signing secret"
        value={signingSecret}
        what="signing secret"
        onCopied={markCopied}
      />
      <div>
        <CopyButton
          text={`HANSARD_API_KEY=${apiKey}\nHANSARD_SIGNING_SECRET=${signingSecret}\n`}
          what="both as .env"
          showsLabel
          onCopied={markCopied}
        />
      </div>
      <CopyField
        label="Try it"
        description="Run this in a terminal. It shows the token’s permissions."
        value={`curl -H "X-API-Key: ${apiKey}" ${window.location.origin}/api/v1/token`}
        what="curl command"
      />
      <Group justify="space-between" mt="sm">
        <Checkbox
          label="I have stored both"
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Button onClick={onDone} disabled={!isStored && !isCopied}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
