/** Where the data lives: a `postgres://…` URL, or the path of an SQLite file that is made when missing. */
export type StoreLocation = { readonly databaseUrl: string } | { readonly file: string }
