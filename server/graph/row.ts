/** A row of a table as the database hands it out, or one made in its shape. */
export type Row = Readonly<Record<string, string | number | null>>
