import { downloadProfiles } from '@dubplate/contract'
import { IconCopy, IconPencil, IconStar, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { format } from '../format/message.ts'
import { discardFormDraft } from '../platform/formDrafts.ts'
import { changeReplies, useApiMutation } from '../platform/useApiMutation.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { draftNameOf } from './draftNames.ts'
import type { DownloadProfile } from './newProfile.ts'
import * as texts from './texts.ts'

const { getProfiles, MAX_PROFILES } = downloadProfiles

type OpenerProps = {
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onClick: (event: { currentTarget: HTMLElement }) => void
}

type Props = {
  profile: DownloadProfile
  profiles: readonly DownloadProfile[]
  /** The button that opens the menu. */
  children: (opener: OpenerProps) => ReactNode
}

/** A button with the actions for a profile. */
export function ProfileMenu({ profile, profiles, children }: Props) {
  const { profile_id, name, is_default } = profile
  const navigate = useNavigate()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const { mutate: save } = useApiMutation(downloadProfiles.saveProfile, {
    optimistic: () =>
      changeReplies(getProfiles, ({ profiles }) => ({
        profiles: profiles.map((each) => ({ ...each, is_default: each.profile_id === profile_id })),
      })),
    invalidates: [getProfiles],
    errorTitle: texts.couldntSaveYourChanges,
  })
  const { right, bottom } = opener?.getBoundingClientRect() ?? { right: 0, bottom: 0 }
  const open = (search: { profile: number | 'new'; copy?: number }) =>
    void navigate({ to: '/account/download-profiles', search })
  return (
    <>
      {children({
        'aria-haspopup': 'menu',
        'aria-expanded': opener !== null,
        onClick: ({ currentTarget }) => setOpener(opener ? null : currentTarget),
      })}
      {opener && (
        <Menu label={name} at={{ x: right, y: bottom + 4 }} onClose={() => setOpener(null)} returnTo={opener}>
          <MenuGroup title={name}>
            <MenuItem icon={<IconPencil size={16} />} onSelect={() => open({ profile: profile_id })}>
              {texts.edit}
            </MenuItem>
            {profiles.length < MAX_PROFILES && (
              <MenuItem icon={<IconCopy size={16} />} onSelect={() => open({ profile: 'new', copy: profile_id })}>
                {texts.duplicate}
              </MenuItem>
            )}
            {!is_default && (
              <MenuItem icon={<IconStar size={16} />} onSelect={() => save({ ...profile, is_default: true })}>
                {texts.makeDefault}
              </MenuItem>
            )}
            <MenuItem icon={<IconTrash size={16} />} onSelect={() => setDeleting(true)}>
              {texts.deleteLabel}
            </MenuItem>
          </MenuGroup>
        </Menu>
      )}
      {isDeleting && <DeleteDialog profile={profile} profiles={profiles} onClose={() => setDeleting(false)} />}
    </>
  )
}

type DeleteProps = Pick<Props, 'profile' | 'profiles'> & { onClose: () => void }

function DeleteDialog({ profile, profiles, onClose }: DeleteProps) {
  const { profile_id, name, is_default } = profile
  // The server makes the first of the others the default.
  const next = is_default ? profiles.find((other) => other !== profile) : undefined
  const { mutateAsync: remove } = useApiMutation(downloadProfiles.removeProfile, {
    success: () => ({ message: format(texts.deleted, { name }) }),
  })
  return (
    <ConfirmDialog
      title={format(texts.deleteProfileNamed, { name })}
      what={next ? format(texts.deleteDefaultConsequences, { next: next.name }) : texts.deleteProfileConsequences}
      confirmLabel={texts.deleteProfile}
      isDanger
      onConfirm={async () => {
        const reply = await remove({ profile_id })
        discardFormDraft(draftNameOf(profile_id))
        changeReplies(getProfiles, () => reply)
      }}
      onClose={onClose}
    />
  )
}
