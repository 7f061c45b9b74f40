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
      <Text>
        These two values are shown once. Store them now; Hansard keeps no copy it could show.
      </Text>
      <CopyField label="API key" value={apiKey} what="API key" isFirst onCopied={markCopied} />
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
          isWordy
          onCopied={markCopied}
        />
      </div>
      <CopyField
        label="Try it"
        description="Run this in a terminal; it answers what the token may do."
        value={`curl -H "X-API-Key: ${apiKey}" ${window.location.origin}/api/v1/token`}
        what="the curl line"
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
