import { settings } from '@dubplate/contract'
import { Box, FileButton, Group, Progress, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { PICTURES } from '../../admin/PictureInput.tsx'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { ApiError, callApi } from '../../platform/api.ts'
import { upload } from '../../platform/upload.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { messagesOf } from '../../platform/useResourceForm.ts'
import { Logo } from '../../site/Logo.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { SettingsFrame } from './SettingsCard.tsx'
import { applySettings, type Everything } from './settingsGroup.ts'
import * as texts from './texts.ts'

/** The pool's logo for dark and light mode: saved as soon as it is chosen. */
export function LogoCard({ all }: { all: Everything }) {
  const { is_overridden } = all.settings.logo
  const { version } = all.groups.logo
  // Allows choosing the same file again.
  const resetInput = useRef<() => void>(null)
  const [progress, setProgress] = useState(0)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (change: () => Promise<Everything>) => applySettings(await change()),
    networkMode: 'always',
    onSuccess: () => void toast({ message: texts.settingsSaved }),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'conflict') void refreshReplies([settings.getSettings])
    },
    onSettled: () => setProgress(0),
  })
  const choose = (picture: File | null | undefined) => {
    resetInput.current?.()
    if (!picture) return
    const body = new FormData()
    body.append('version', String(version))
    body.append('picture', picture)
    mutate(() => upload(settings.uploadLogo, body, setProgress))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    choose(event.dataTransfer.files[0])
  }
  return (
    <SettingsFrame
      title={texts.logo}
      description={texts.shownInTheHeaderEmails}
      state={all.groups.logo}
      isOverridden={is_overridden}
      origin={texts.defaultLabel}
    >
      <Group gap="sm" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        {(['dark', 'light'] as const).map((scheme) => (
          <Box
            key={scheme}
            data-mantine-color-scheme={scheme}
            bg="var(--bg)"
            c="var(--text)"
            p="lg"
            style={{ border: '1px solid var(--line)', borderRadius: 'var(--r-md)' }}
          >
            <Logo />
          </Box>
        ))}
      </Group>
      <Text fz="sm" c="var(--text-2)">
        {texts.jpegPngWebpAvifOr}
      </Text>
      <FormMessages messages={error ? messagesOf(error) : []} />
      <Group gap="sm">
        <FileButton accept={PICTURES} resetRef={resetInput} inputProps={{ 'aria-label': texts.logo }} onChange={choose}>
          {({ onClick }) => (
            <Button busy={isPending} onClick={onClick}>
              {is_overridden ? texts.replaceLogo : texts.uploadLogo}
            </Button>
          )}
        </FileButton>
        {is_overridden && (
          <Button disabled={isPending} onClick={() => mutate(() => callApi(settings.removeLogo, { version }))}>
            {texts.resetToGeneratedLogo}
          </Button>
        )}
        {progress > 0 && <Progress w={160} value={progress * 100} aria-label={texts.uploadingLogo} />}
      </Group>
    </SettingsFrame>
  )
}
