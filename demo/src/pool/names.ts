import type { Scene } from './genres.ts'

const lines = (text: string) =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .flatMap((line) => line.split(/\s*;\s*/))
    .filter(Boolean)

/** Invented artists by scene. */
export const ARTISTS: Record<Scene, readonly string[]> = {
  club: lines(`
    Mara Voss; Halo Theory; VIGO; Lena Okoro; Kasa Nova; Opal & Orbit; Citra; Nils Amberg; Ostkreuz 9; Faro Lights
    Tiago Brandão; Señorita Modular; Ines Calder; Room 14; Północ; Zofia Lem; Koji Arai; Velouria Sound; Marek Dusza; Sol Nascente
    Thandeka Mbeli; Kwame Ofori; Étienne Roux; Björk Ásdal Trio; Анна Коваль; Нічна Зміна; 青山リズム; Pale Harbour; The Night Porters; Dario Lucerna`),
  bass: lines(`
    Zenit Sound; Bloc Party Line; Subkult; Tern & Gull; Hollow Point Choir; Lowmarket; Amen Corner Shop; MC Kestrel; Ruff Cartography; Dr. Lumen
    Peckham Tide; Two Step Away; Низький Тон; Kilo Hertz; Junglist Union; Foxglove`),
  urban: lines(`
    Rico Faro; Seda; Deacon Wells; Young Ledger; Amaru Stone; Jo'nelle; Kid Parallax; Tre Montague; Saint Bodega; Nia Holloway
    Cassius Vale; Big Almanac; Lil Cathedral; Ms. Ferro; Quincy Marsh; The Corner Quartet; Zadie Blu; Okoye Grant; Marlo $cript; June Tanaka`),
  latin: lines(`
    Tomás Brisa; La Niña Fuego; Los del Muelle; Yadira Cruz; El Primo Kiko; Bia Maré; DJ Guaraná; MC Candeia; Ñengo Solar; Karol Vidal
    Don Sandunga; Marisol Peña; Trópico 77; João Ventania; Lua Cheia; Chico Cometa`),
  pop: lines(`
    Nothing But Charm; Soda Palace; Clara Wynn; The Velvet Hours; Junip & Rose; Glass Flamingo; Aurélie Dumas; Studio Marbella; Hey Margot; Disco Falcone
    Gloria Monday; Funkhaus West; Ivy Lanes; Østfold Boys; 夜明けクラブ; Мія Зоря; Italo Moderno; Sunday Chrome`),
}

/** Invented titles. A scene uses its own first, then the common ones. */
export const TITLES: Record<Scene | 'common', readonly string[]> = {
  club: lines(`
    Back Room Weather; Paper Lanterns; Concrete Garden; Four in the Morning; Left Side Speaker; Keep the Door; Basement Sun; Copper Wire; Salt on the Floor
    Strobe Economy; Night Bus to Nowhere; Cloakroom; Two Turntables, One Umbrella; Kreuzung; Hinterhof; Nuit Électrique; Deuxième Étage; Madrugada Azul
    Cidade Baixa; Luz de Outubro; Saudade Machine; Mañana Nunca; Calle Ocho a las Ocho; Світанок; Тихий Район; 夜明け前; 東京ドリフトレス; Isidingo
    Umoya; Harmattan; Kigali Moon; Red Dust Choir; Hands Above Water; Warm Machines; Linear B; Sine of the Times; Phase Alignment; Low Ceiling
    Ultramarine; The Longest Kick Drum in the World (And Other Stories We Told the Taxi Driver); Tape Loop Romance; Piano in a Fire Exit; Sunday Service Entrance
    Fog Machine Blues; Gravity Feels; Pressure Valve; Oblique Angles; Mirrorball Tax; Glass Elevator; Rotary; Ostinato; Vapor Trail Kiss; Nine Minute Mile
    Arpeggio for Tired Feet; Heliograph; Kosmos Hotel; Last Train Has Left; Amber Alert; Black Orchid Route; White Label Fever; Moss; Periphery; Tidal Lock
    Nothing Left to Fade; Reset the Room; Somewhere South; Cassava; Diaspora Disco; Ekō; Polyrhythm Postcard; Sandcastle Protocol; Dry Ice; Eight Bars to Heaven`),
  bass: lines(`
    Two Step Away; Night Bus; Rain on Rye Lane; Half Time Heart; Wobble Theory; Subsonic Postman; Ragged Edge; Ozone; Rewind Clause; Riverside Amen
    Pirate Antenna; Cold Chips; Junction 9; Torch Song at 174; Liquid Assets; Hackle; Пульс; Undertow; Rudeboy Arithmetic; Signal Fire
    Tower Block Lullaby; Gunfinger Etiquette; Bleed Through; Dubplate Diplomacy; Swerve; Shutter Speed; Champagne & Static; Foxes After Dark; Lock In; Garage Door
    Skylark; Deep End Only; Overground; Kilter; Haze Warning; Nobody Told the Neighbours`),
  urban: lines(`
    Say It Twice; Ledger; Corner Store Gospel; Rent Due; Slow Burn Avenue; Grandma's Couch; Platinum Patience; No Receipt; Cold Brew Cipher; Blue Note, Red Light
    Northside Algebra; Velvet Rope; Borrowed Chain; Ten Toes; Voicemail Confessional; Summer Lease; Talk to Me Nice(ly); Porchlight; Rosewater; Unread
    Main Character; Window Seat; Overtime; Lowrider Lullaby; Smoke Signal; Cathedral Flow; Dial Tone; Soft Launch; Petty Season; Three Missed Calls
    Backseat Astronomy; Gold Leaf; Stay a Verse; Kinfolk; Trap Botanica; Windows Tinted, Heart Open; Second Wind; Penthouse Problems; Nobody's Plug; Honest Work
    Silk & Static; After the Function; Cul-de-Sac Kings; Block Party Permit; What the Bassline Said to Me the Night You Left; Loose Change; Midnight Oil; Sugar Tax; 86 Bars; Hush Money
    Low Tide Lover; Parlour Trick; Crooked Halo; Elevator Pitch`),
  latin: lines(`
    Caliente y Frío; La Última Ronda; Sin Permiso; Bailando Descalza; Medianoche en Ponce; El Muelle; Dame Otra Vuelta; Pegaíto; Fuego Lento; Corazón Prestado
    Mala Costumbre; Ya Tú Sabes Dónde; Sabor a Sal; Perreo en la Cocina; Agua de Coco; Piel Canela Remota; Nadie Como Tú Baila Así Cuando Se Apagan las Luces; Tu Balcón; Guayaba; Ritmo Terco
    Onda do Mar; Ladeira; Pé na Areia; Coração Tropical; Manhã de Chuva; Beija-Flor Elétrico; Sexta-Feira; Rebola Devagar; Noche de Ñapa; Contigo No
    Brisa Norte; Veneno Dulce; Te Lo Dije; Palmera; Gasolina Cara`),
  pop: lines(`
    Nothing But Chrome; Sunday Driver; Neon Picnic; Bubblegum Alibi; Heartbeat Hotline; Weekend Passport; Polaroid Summer; Lipstick Logic; Roller Rink Romeo; Cinnamon
    Rendez-vous à Minuit; Été Indien Bis; Ciao Domani; Spiaggia Privata; Cabriolet; Satin Jacket; Boogie Tax; Glitter Weather; Tiara at the Bus Stop; Strut
    Telephone Disco; Kiss Me Like It's Leap Year; Paper Crown; Carousel; Зоря; 星のダンス; Overnight Sensation; Picture Perfect-ish; Champagne Friday; Hey Stranger
    Postcards from Rimini; Funk Department; Slap Bass Summer; Lemonade State of Mind; Firework Factory`),
  common: lines(`
    Afterglow; Velvet Hour; Undercurrent; Homebound; Kaleidoscope; Second Nature; Satellite; Daybreak; Monochrome; Echo Chamber; Parallel; Wildflower; Half Moon; Momentum; Northern Light
    Static; Reverie; Ember; Mosaic; Silhouette; Paradox; Lighthouse; Free Fall; Horizon Line; Gold Rush; Tangerine; Blueprint; Crescent; Compass; Aftertaste`),
}

export const LABELS: readonly string[] = lines(`
  Nightshift Recordings; Low Ceiling; Marula; Parallel Lines; Casa Nostra Discos; Discos Malecón; Rye Lane Audio; Basalt; Paper Moon; Onda Norte
  Kvadrat; Third Rail; Sugarcane; Mirador; Stairwell; Fjordlys; Corner Pocket; Hotel Kosmos; Polvo Records; Self-released`)

export const CURATORS: readonly string[] = ['Editorial', 'Mara Voss', 'DJ Kilo', 'VIGO', 'Lena Okoro', 'Tomás Brisa']
