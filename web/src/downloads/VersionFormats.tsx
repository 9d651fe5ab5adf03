import type { catalogue, downloads } from '@dubplate/contract'
import { IconChevronDown } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { format } from '../format/message.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuGroup, MenuItem, type Point } from '../ui/Menu.tsx'
import { downloadVersion, isBusy, useDownloads } from './download.ts'
import { FORMAT_NAMES } from './downloadFormats.ts'
import * as texts from './texts.ts'

type Props = {
  versionId: number
  version: string
  title: string
  song: catalogue.Song
  /** The format of the uploaded file. */
  original: string
  conversions: readonly downloads.ConversionFormat[]
  /** The number of downloads a version allows. */
  limit: number
  className: string | undefined
}

/** The menu next to the download button of a version that is offered in several formats. */
export function VersionFormats({ versionId, version, title, song, original, conversions, limit, className }: Props) {
  const [menu, setMenu] = useState<{ at: Point; opener: HTMLElement }>()
  const busy = useDownloads(isBusy(`version ${versionId}`))
  const isUsedUp = useDownloads(({ used }) => limit > 0 && (used.get(versionId) ?? 0) >= limit)
  const name = format(texts.versionOfSong, { version, title })
  const download = (chosen: 'original' | downloads.ConversionFormat) =>
    void downloadVersion(versionId, { title, version, song, format: chosen })
  const toggle = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    setMenu(menu ? undefined : { at: { x: left, y: bottom + 4 }, opener: currentTarget })
  }
  return (
    <>
      <IconButton
        className={className}
        label={format(texts.chooseFormatOf, { name })}
        aria-haspopup="menu"
        aria-expanded={menu !== undefined}
        disabled={isUsedUp || busy}
        onClick={toggle}
      >
        <IconChevronDown size={16} />
      </IconButton>
      {menu && (
        <Menu
          label={format(texts.formatsOf, { name })}
          at={menu.at}
          returnTo={menu.opener}
          onClose={() => setMenu(undefined)}
        >
          <MenuGroup>
            <MenuItem onSelect={() => download('original')}>{format(texts.originalFormat, { original })}</MenuItem>
            {conversions.map((value) => (
              <MenuItem key={value} onSelect={() => download(value)}>
                {FORMAT_NAMES[value]}
              </MenuItem>
            ))}
          </MenuGroup>
        </Menu>
      )}
    </>
  )
}
