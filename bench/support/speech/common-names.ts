/** Short and frequent names, which are most likely to be found where they were not said. */
export const COMMON_NAMES =
  'James Wilson,Sarah Thompson,Anna Schmidt,Hannah Cohen,Marie Dubois,Jon Peterson,Shaun Murphy,Stephen Clarke,Philip Hayes,Ana Costa,Lena Fischer,Karl Weber,Eric Johansson,Lisa Chen,Wei Zhang,Li Na,Mohamed Ali,Fatima Hassan,Omar Farouk,Yuki Tanaka,Kenji Sato,Min Park,David Cohen,Rachel Green,Tom Baker,Will Young,Mark Grant,Rose Hill,Kate Bishop,Ian Reid,Owen Lloyd,Dan Brown,Ben Carter,Alex Kim,Sam Lee,Max Bauer,Eva Novak,Jan Kowalski,Petra Horak,Ivan Petrov,Olga Ivanova,Nina Rossi,Luca Bianchi,Marco Ricci,Paulo Silva,Carla Gomez,Diego Torres,Lucia Romero,Amit Shah,Neha Gupta,Ravi Kumar,Deepa Menon'.split(
    ',',
  )
