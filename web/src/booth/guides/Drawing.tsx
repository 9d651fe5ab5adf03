import {
  IconArrowDown,
  IconCheck,
  IconDeviceUsb,
  IconFileMusic,
  IconFileText,
  IconFolder,
  IconPlaylist,
  IconX,
  IconZip,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './Drawing.module.css'
import type { Drawing as DrawingOf, Setting } from './guide.ts'
import type { Places } from './places.ts'
import { Track } from './Track.tsx'

type Of<Kind extends DrawingOf['kind']> = Extract<DrawingOf, { kind: Kind }>

/** The drawing of a step. The step's text says the same, so screen readers skip it. */
export const Drawing = ({ drawing, places }: { drawing: DrawingOf; places: Places }) => (
  <div className={css.drawing} aria-hidden>
    {contentOf(drawing, places)}
  </div>
)

function contentOf(drawing: DrawingOf, places: Places): ReactNode {
  switch (drawing.kind) {
    case 'unpack':
      return <Unpacked places={places} />
    case 'copy':
      return <Copied places={places} />
    case 'window':
      return <SettingsWindow drawing={drawing} places={places} />
    case 'menu':
      return <ContextMenu drawing={drawing} />
    case 'menubar':
      return <MenuBar drawing={drawing} />
    case 'source':
      return <Source drawing={drawing} places={places} />
    case 'playlist':
      return <ImportedPlaylist drawing={drawing} places={places} />
    case 'close':
      return <ClosedWindow />
    case 'drive':
      return <Drive places={places} />
  }
}

const SONGS = ['Ada Vale - Night Bus (Intro).mp3', 'Kite Club - Low Tide (Clean).mp3']

const ICON = { size: 15, stroke: 1.7 }
const Arrow = () => <IconArrowDown size={18} className={css.arrow} />

type EntryProps = { icon: ReactNode; depth?: number; isNew?: boolean; children: string }

const Entry = ({ icon, depth = 0, isNew = false, children }: EntryProps) => (
  <span className={css.entry} style={{ paddingLeft: 6 + depth * 16 }} data-new={isNew || undefined}>
    {icon}
    <span className="ellipsis">{children}</span>
  </span>
)

/** Folders of a path and its file, each one level deeper. */
const FileInFolders = ({ path, depth }: { path: string; depth: number }) =>
  path.split('/').map((name, index, all) => (
    <Entry
      key={name}
      depth={depth + index}
      isNew={index === all.length - 1}
      icon={index === all.length - 1 ? <IconFileText {...ICON} /> : <IconFolder {...ICON} />}
    >
      {name}
    </Entry>
  ))

function Unpacked({ places: { zip, music, libraryPath, relative } }: { places: Places }) {
  return (
    <div className={css.flow}>
      <div className={css.panel}>
        <Entry icon={<IconZip {...ICON} />}>{zip}</Entry>
      </div>
      <Arrow />
      <div className={css.panel}>
        <Entry icon={<IconFolder {...ICON} />}>{music}</Entry>
        <FileInFolders path={libraryPath} depth={1} />
        {SONGS.map((name) => (
          <Entry key={name} depth={1} icon={<IconFileMusic {...ICON} />}>
            {name}
          </Entry>
        ))}
        <Entry depth={1} icon={<IconPlaylist {...ICON} />}>
          {relative}
        </Entry>
      </div>
    </div>
  )
}

/** The folder into which a program's library file is copied. */
const targetOf = ({ libraryPath, crates, lists }: Places) => (libraryPath.startsWith('MyLists') ? lists : crates)

const Copied = ({ places }: { places: Places }) => (
  <div className={css.flow}>
    <div className={css.panel}>
      <FileInFolders path={places.libraryPath} depth={0} />
    </div>
    <Arrow />
    <div className={css.panel}>
      <Entry icon={<IconFolder {...ICON} />}>{targetOf(places)}</Entry>
      <Entry depth={1} isNew icon={<IconFileText {...ICON} />}>
        {places.library}
      </Entry>
    </div>
  </div>
)

const Bar = () => (
  <div className={css.bar}>
    <i />
    <i />
    <i />
  </div>
)

const Sidebar = ({ entries, active }: { entries: string[]; active: string }) => (
  <div className={css.sidebar}>
    {entries.map((entry) => (
      <span key={entry} data-active={entry === active || undefined}>
        {entry}
      </span>
    ))}
  </div>
)

const SettingsWindow = ({
  drawing: { pages, page, section, settings },
  places,
}: {
  drawing: Of<'window'>
  places: Places
}) => (
  <div className={css.window}>
    <Bar />
    <div className={css.columns}>
      <Sidebar entries={pages} active={page} />
      <div className={css.settings}>
        {section !== page && <b>{section}</b>}
        {settings.map((setting) => (
          <SettingLine key={setting.name} setting={setting} places={places} />
        ))}
      </div>
    </div>
  </div>
)

const SettingLine = ({ setting, places }: { setting: Setting; places: Places }) =>
  'value' in setting ? (
    <span className={css.field}>
      {setting.name}
      <span className={css.value}>{places[setting.value]}</span>
    </span>
  ) : (
    <span className={css.setting} data-ticked={setting.isTicked || undefined}>
      <i>{setting.isTicked && <IconCheck size={11} stroke={3} />}</i>
      {setting.name}
    </span>
  )

const ContextMenu = ({ drawing: { sidebar, entry, options, option } }: { drawing: Of<'menu'> }) => (
  <div className={css.window}>
    <Bar />
    <div className={css.columns}>
      <Sidebar entries={sidebar} active={entry} />
      <Menu options={options} option={option} />
    </div>
  </div>
)

const Menu = ({ options, option }: { options: string[]; option: string }) => (
  <div className={css.menu}>
    {options.map((each) => (
      <span key={each} data-active={each === option || undefined}>
        {each}
      </span>
    ))}
  </div>
)

const MenuBar = ({ drawing: { menus, menu, options, option } }: { drawing: Of<'menubar'> }) => (
  <div className={css.window}>
    <Bar />
    <div className={css.menus}>
      {menus.map((each) => (
        <span key={each} data-active={each === menu || undefined}>
          {each}
        </span>
      ))}
    </div>
    <Menu options={options} option={option} />
  </div>
)

const Source = ({ drawing: { sidebar, entry }, places }: { drawing: Of<'source'>; places: Places }) => (
  <div className={css.window}>
    <Bar />
    <div className={css.columns}>
      <Sidebar entries={sidebar} active={entry} />
      <div className={css.settings}>
        <Entry isNew icon={<IconFileText {...ICON} />}>
          {places.library}
        </Entry>
      </div>
    </div>
  </div>
)

const ImportedPlaylist = ({ drawing: { sidebar, hasCues }, places }: { drawing: Of<'playlist'>; places: Places }) => (
  <div className={css.window}>
    <Bar />
    <div className={css.columns}>
      <Sidebar entries={[...sidebar, places.list]} active={places.list} />
      <div className={css.tracks}>
        <Track seed={3} hasCues={hasCues} />
        <Track seed={8} hasCues={hasCues} />
        <Track seed={5} hasCues={hasCues} />
      </div>
    </div>
  </div>
)

const ClosedWindow = () => (
  <div className={css.window} data-closed>
    <div className={css.bar}>
      <IconX size={14} stroke={2.4} className={css.close} />
    </div>
    <div className={css.blank} />
  </div>
)

const Drive = ({ places }: { places: Places }) => (
  <div className={css.flow}>
    <div className={css.panel}>
      <Entry icon={<IconPlaylist {...ICON} />}>{places.list}</Entry>
    </div>
    <Arrow />
    <div className={css.panel}>
      <Entry isNew icon={<IconDeviceUsb {...ICON} />}>
        USB
      </Entry>
    </div>
  </div>
)
