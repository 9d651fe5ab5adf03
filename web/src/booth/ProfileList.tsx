import { downloadProfiles } from '@dubplate/contract'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconDeviceLaptop, IconDots, IconFolderCog, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import css from './Booth.module.css'
import type { DownloadProfile } from './newProfile.ts'
import { ProfileMenu } from './ProfileMenu.tsx'
import { describeProfile } from './profileNames.ts'
import * as texts from './texts.ts'

const { MAX_PROFILES } = downloadProfiles

/** The profiles by name, and how many more can be added. */
export function ProfileList({ profiles }: { profiles: readonly DownloadProfile[] }) {
  if (profiles.length === 0) return <NoProfiles />
  const isFull = profiles.length >= MAX_PROFILES
  return (
    <Stack gap="lg">
      <Text maw="62ch" c="var(--text-2)">
        {texts.downloadProfilesHint}
      </Text>
      <Group gap="md" justify="space-between">
        <AddButton isFull={isFull} />
        {isFull && (
          <Text id={LIMIT} flex="1 1 240px" fz="sm" c="var(--text-2)">
            {format(texts.limitReached, { max: MAX_PROFILES })}
          </Text>
        )}
      </Group>
      <Stack component="ul" gap={0} aria-label={texts.downloadProfiles}>
        {profiles.map((profile) => (
          <ProfileRow key={profile.profile_id} profile={profile} profiles={profiles} />
        ))}
      </Stack>
    </Stack>
  )
}

const LIMIT = 'profile-limit'

function AddButton({ isFull }: { isFull: boolean }) {
  const navigate = useNavigate()
  return (
    <Button
      variant={isFull ? 'plain' : 'primary'}
      disabled={isFull}
      aria-describedby={isFull ? LIMIT : undefined}
      onClick={() => void navigate({ to: '/account/download-profiles', search: { profile: 'new' } })}
    >
      <IconPlus size={16} aria-hidden />
      {texts.addProfile}
    </Button>
  )
}

/** A profile; its name opens the form. */
function ProfileRow({ profile, profiles }: { profile: DownloadProfile; profiles: readonly DownloadProfile[] }) {
  const { profile_id, name, music_folder, is_default } = profile
  return (
    <li className={css.row}>
      <IconDeviceLaptop
        size={20}
        stroke={1.7}
        color="var(--text-3)"
        style={{ flex: 'none', marginTop: 2 }}
        aria-hidden
      />
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="sm" wrap="nowrap" mih={24}>
          <Link
            to="/account/download-profiles"
            search={{ profile: profile_id }}
            className={`${css.name} ellipsis`}
            title={name}
          >
            {name}
          </Link>
          {is_default && (
            <Badge flex="none" color="var(--surface-3)" c="var(--text)" tt="none" fz="xs">
              {texts.defaultLabel}
            </Badge>
          )}
        </Group>
        <Text fz="sm" c="var(--text-2)">
          {describeProfile(profile)}
        </Text>
        <code className={css.folder}>{music_folder}</code>
      </Stack>
      <ProfileMenu profile={profile} profiles={profiles}>
        {(opener) => (
          <IconButton label={format(texts.moreOptionsFor, { name })} {...opener}>
            <IconDots size={18} />
          </IconButton>
        )}
      </ProfileMenu>
    </li>
  )
}

const NoProfiles = () => (
  <EmptyState
    icon={<IconFolderCog size={24} />}
    title={texts.noDownloadProfilesYet}
    action={
      <Link to="/account/download-profiles" search={{ profile: 'new' }} className={button.button} data-look="primary">
        <IconPlus size={16} aria-hidden />
        {texts.addProfile}
      </Link>
    }
  >
    {texts.addProfileHint}
  </EmptyState>
)
